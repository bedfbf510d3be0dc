import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Machine, machine } from "../../fake-host.ts";

const APPROVALS = ".local/state/caliban/approvals.json";

const OWN = `\
[mcp.servers.mine]
command = "npx"
args = ["-y", "some-server", "--token=hunter2"]
env = { MY_TOKEN = "hunter2" }

[mcp.servers.off]
command = "x"
enabled = false
`;

const REQUESTS = `\
[mcp.servers.tools]
command = "node"
args = ["./tools/server.js"]
pass_env = ["GITHUB_TOKEN"]

[mcp.servers.greedy]
command = "node"
pass_env = ["ANTHROPIC_API_KEY"]
`;

async function withServers(own = ""): Promise<Machine> {
  return await machine({
    "app/.caliban/settings.toml": REQUESTS,
    "app/tools/server.js": "serve()",
    ...(own === "" ? {} : { ".config/caliban/settings.toml": own }),
  });
}

async function standingOf({ caliban }: Machine, name: string): Promise<string | undefined> {
  const { stdout } = await caliban("mcp", "list", "--json");
  const { servers } = JSON.parse(stdout) as {
    servers: readonly { readonly name: string; readonly standing: string }[];
  };
  return servers.find((server) => server.name === name)?.standing;
}

describe("caliban mcp list", () => {
  it("lists every server with its source and standing, and no secret", async () => {
    const { caliban } = await withServers(OWN);
    const { stdout, exitCode } = await caliban("mcp", "list");
    expect(exitCode).toBe(0);
    expect(stdout).toBe(`\
  mine    yours
          npx -y some-server "--token=(not shown)"
          from ~/.config/caliban/settings.toml
  off     turned off
          from ~/.config/caliban/settings.toml
  greedy  cannot be used
          from ~/app/.caliban/settings.toml
          problem: it requests ANTHROPIC_API_KEY, a model provider's key, which no repository gets
  tools   not approved. Run: caliban mcp approve tools
          node ./tools/server.js
          from ~/app/.caliban/settings.toml
          note: GITHUB_TOKEN is not set, so the server runs without it
`);
    const json = await caliban("mcp", "list", "--json");
    expect(json.stdout + json.stderr + stdout).not.toContain("hunter2");
    expect(json.stdout).toContain('"MY_TOKEN"');
  });

  it("names the files of the repository that a server of the user's own runs", async () => {
    const own = '[mcp.servers.dev]\ncommand = "node"\nargs = ["tools/server.js"]\n';
    const { stdout } = await (await withServers(own)).caliban("mcp", "list");
    expect(stdout).toContain("note: runs ~/app/tools/server.js, which the repository can change\n");
  });

  it("says that there are no servers, also with --bare", async () => {
    const { caliban } = await machine();
    expect(await caliban("mcp", "list")).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining("no MCP servers"),
    });
    const requested = await withServers(OWN);
    expect((await requested.caliban("mcp", "list", "--bare")).stdout).toContain("no MCP servers");
  });

  it("warns that a damaged approvals file approves nothing, and does not overwrite it", async () => {
    const start = await withServers();
    await start.caliban("mcp", "approve", "tools", "--yes");
    await writeFile(join(start.home, APPROVALS), "damaged");
    expect(await standingOf(start, "tools")).toBe("needs-approval");
    expect((await start.caliban("mcp", "list")).stderr).toContain("the approvals file is damaged");
    const again = await start.caliban("mcp", "approve", "tools", "--yes");
    expect(again).toMatchObject({ exitCode: 1, stdout: "" });
    expect(again.stderr).toContain("is damaged, so nothing is approved");
    expect(await readFile(join(start.home, APPROVALS), "utf8")).toBe("damaged");
  });
});

describe("caliban mcp approve", () => {
  it("shows what would be started, and asks on a terminal", async () => {
    const start = await withServers();
    const questions: string[] = [];
    const answering = (answer: boolean): Machine =>
      start.with({
        isInteractive: () => true,
        confirm: async (question) => {
          questions.push(question);
          return answer;
        },
      });
    const no = await answering(false).caliban("mcp", "approve", "tools");
    expect(no).toMatchObject({ exitCode: 1, stdout: "" });
    expect(no.stderr).toContain("  runs          node ./tools/server.js\n");
    expect(no.stderr).toContain("  gets your     GITHUB_TOKEN\n");
    expect(no.stderr).toContain("  covers        ~/app/tools/server.js\n");
    expect(await standingOf(start, "tools")).toBe("needs-approval");
    const yes = await answering(true).caliban("mcp", "approve", "tools");
    expect(yes).toMatchObject({
      exitCode: 0,
      stdout: "approved tools in this workspace; any change to it requires a new approval\n",
    });
    expect(questions).toEqual(["Approve this server?", "Approve this server?"]);
    expect(await standingOf(start, "tools")).toBe("approved");
  });

  it("requires --yes when no one can answer", async () => {
    const start = await withServers();
    expect(await start.caliban("mcp", "approve", "tools")).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("pass --yes"),
    });
    expect(await standingOf(start, "tools")).toBe("needs-approval");
    const { stdout, exitCode } = await start.caliban("mcp", "approve", "tools", "--yes", "--json");
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ kind: "approved", name: "tools" });
  });

  it("approves a server until its files or its settings change", async () => {
    const start = await withServers();
    await start.caliban("mcp", "approve", "tools", "--yes");
    await writeFile(join(start.home, "app/tools/server.js"), "evil()");
    expect(await standingOf(start, "tools")).toBe("changed");
    expect((await start.caliban("mcp", "list")).stdout).toContain(
      "changed since you approved it. Run: caliban mcp approve tools",
    );
    const again = await start.caliban("mcp", "approve", "tools", "--yes");
    expect(again.stderr).toContain("It has changed since you approved it.");
    expect(await standingOf(start, "tools")).toBe("approved");
    const changed = REQUESTS.replace('"./tools/server.js"', '"./tools/server.js", "--evil"');
    await writeFile(join(start.home, "app/.caliban/settings.toml"), changed);
    expect(await standingOf(start, "tools")).toBe("changed");
  });

  it.for([
    ["tolls", 3, "no such MCP server: \"tolls\"; did you mean 'tools'?"],
    ["\u001B[2K", 3, 'no such MCP server: "\\u001b[2K"; to see all of them, run: caliban mcp list'],
    ["greedy", 1, "cannot approve greedy: it requests ANTHROPIC_API_KEY"],
    ["mine", 1, "mine is in your own settings and needs no approval"],
    ["off", 1, "cannot approve off: it is turned off"],
  ] as const)("refuses to approve %j with exit code %i", async ([name, exitCode, expected]) => {
    const { caliban } = await withServers(OWN);
    const refused = await caliban("mcp", "approve", name, "--yes");
    expect(refused).toMatchObject({ exitCode, stdout: "" });
    expect(refused.stderr).toContain(expected);
  });
});

describe("caliban mcp forget", () => {
  it("withdraws the approval of a server", async () => {
    const start = await withServers();
    await start.caliban("mcp", "approve", "tools", "--yes");
    expect(await start.caliban("mcp", "forget", "tools")).toMatchObject({
      exitCode: 0,
      stdout: "withdrew the approval of tools\n",
    });
    expect(await standingOf(start, "tools")).toBe("needs-approval");
    expect(await start.caliban("mcp", "forget", "tools")).toMatchObject({
      exitCode: 3,
      stderr: "caliban: tools has no approval to withdraw\n",
    });
    expect(await start.caliban("mcp", "forget", "tool")).toMatchObject({
      exitCode: 3,
      stdout: "",
      stderr: expect.stringContaining("no such MCP server"),
    });
  });

  it("withdraws the approval of a server that is no longer requested", async () => {
    const start = await withServers();
    await start.caliban("mcp", "approve", "tools", "--yes");
    await writeFile(join(start.home, "app/.caliban/settings.toml"), "");
    const { stdout, exitCode } = await start.caliban("mcp", "forget", "tools", "--json");
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toEqual({ kind: "forgotten", name: "tools" });
  });
});

describe("the servers in a repository's settings", () => {
  it("leaves requested servers out of the effective settings without reporting them as ignored", async () => {
    const { caliban } = await withServers(OWN);
    const { stdout, stderr } = await caliban("settings");
    expect(stdout).toMatch(
      /^ *mcp\.servers +\{"mine":.*user ~\/\.config\/caliban\/settings\.toml$/m,
    );
    expect(stdout).not.toContain("./tools/server.js");
    expect(stdout).not.toContain("hunter2");
    expect(stderr).not.toContain("ignored");
    expect(stderr).toContain("mcp.servers.mine.env.MY_TOKEN looks like a secret");
  });

  it("ignores a requested server that has the name of one of the user's own", async () => {
    const start = await withServers('[mcp.servers.tools]\ncommand = "mine"\n');
    const { stderr } = await start.caliban("mcp", "list");
    expect(stderr).toMatch(/settings\.toml:1:1: mcp\.servers\.tools .*ignored/);
    expect(await standingOf(start, "tools")).toBe("yours");
  });

  it("silently ignores a requested server that the user turned off", async () => {
    const start = await withServers();
    expect(
      await start.caliban("settings", "set", "mcp.servers.tools.enabled", "false"),
    ).toMatchObject({ exitCode: 0, stderr: "" });
    expect(await start.caliban("settings", "set", "mcp.servers.gh.command", "npx")).toMatchObject({
      exitCode: 0,
      stdout: "set mcp.servers.gh.command in ~/.config/caliban/settings.toml\n",
    });
    expect(await standingOf(start, "tools")).toBe("turned-off");
    expect(await standingOf(start, "gh")).toBe("yours");
  });
});

describe("the servers in caliban doctor", () => {
  it("reports missing programs and missing approvals of servers", async () => {
    const own = `${OWN}\n[mcp.servers.gone]\ncommand = "no-such-program"\n`;
    const start = (await withServers(own)).with({});
    const { stdout, exitCode } = await start
      .with({ env: { HOME: start.home, PATH: "/usr/bin:/bin" } })
      .caliban("doctor");
    expect(exitCode).toBe(1);
    // The wording is the doctor's; what matters is what it says something about.
    expect(stdout).toMatch(/^✗ server gone .*no-such-program/m);
    expect(stdout).toMatch(/^! server off .*~\/\.config\/caliban\/settings\.toml/m);
    expect(stdout).toMatch(/^! server tools .*approved/m);
    expect(stdout).toMatch(/caliban mcp approve tools$/m);
    expect(stdout).toMatch(/^! server greedy .*ANTHROPIC_API_KEY/m);
    expect(stdout).not.toContain("hunter2");
  });

  it("reports missing variables of servers", async () => {
    const start = await withServers();
    const env = { HOME: start.home, PATH: join(process.execPath, "..") };
    const set = start.with({ env });
    await set.caliban("mcp", "approve", "tools", "--yes");
    const { stdout } = await set.caliban("doctor");
    expect(stdout).toMatch(/^! server tools +GITHUB_TOKEN is not set/m);
    const whole = await start.with({ env: { ...env, GITHUB_TOKEN: "t" } }).caliban("doctor");
    expect(whole.stdout).toMatch(/^✓ server tools .*node \.\/tools\/server\.js$/m);
  });
});

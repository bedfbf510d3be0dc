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

const WISHES = `\
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
    "app/.caliban/settings.toml": WISHES,
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
  it("shows every server, whose it is and how it stands, and no secret", async () => {
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
          problem: it asks for ANTHROPIC_API_KEY, the key of a model's provider, which no repository gets
  tools   needs approval: caliban mcp approve tools
          node ./tools/server.js
          from ~/app/.caliban/settings.toml
          note: GITHUB_TOKEN is not set, so it goes without
`);
    const json = await caliban("mcp", "list", "--json");
    expect(json.stdout + json.stderr + stdout).not.toContain("hunter2");
    expect(json.stdout).toContain('"MY_TOKEN"');
  });

  it("says which files of the repository at hand a server of one's own uses", async () => {
    const own = '[mcp.servers.dev]\ncommand = "node"\nargs = ["tools/server.js"]\n';
    const { stdout } = await (await withServers(own)).caliban("mcp", "list");
    expect(stdout).toContain(
      "note: it uses ~/app/tools/server.js, whatever a repository has there\n",
    );
  });

  it("says so when there are none, and reads no settings with --bare", async () => {
    const { caliban } = await machine();
    expect(await caliban("mcp", "list")).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining("no MCP servers"),
    });
    const wished = await withServers(OWN);
    expect((await wished.caliban("mcp", "list", "--bare")).stdout).toContain("no MCP servers");
  });

  it("says that a damaged file approves nothing", async () => {
    const start = await withServers();
    await start.caliban("mcp", "approve", "tools", "--yes");
    await writeFile(join(start.home, APPROVALS), "damaged");
    expect(await standingOf(start, "tools")).toBe("needs-approval");
    expect((await start.caliban("mcp", "list")).stderr).toContain("approvals is damaged");
    const again = await start.caliban("mcp", "approve", "tools", "--yes");
    expect(again).toMatchObject({ exitCode: 1, stdout: "" });
    expect(again.stderr).toContain("is damaged, so nothing is approved");
    expect(await readFile(join(start.home, APPROVALS), "utf8")).toBe("damaged");
  });
});

describe("caliban mcp approve", () => {
  it("shows what the question shows, and asks on a terminal", async () => {
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
    expect(no.stderr).toContain("  runs       node ./tools/server.js\n");
    expect(no.stderr).toContain("  gets your  GITHUB_TOKEN\n");
    expect(no.stderr).toContain("  covers     ~/app/tools/server.js\n");
    expect(await standingOf(start, "tools")).toBe("needs-approval");
    const yes = await answering(true).caliban("mcp", "approve", "tools");
    expect(yes).toMatchObject({
      exitCode: 0,
      stdout:
        "approved tools for this workspace, as it is now; when it changes, it needs approval again\n",
    });
    expect(questions).toEqual(["Approve it?", "Approve it?"]);
    expect(await standingOf(start, "tools")).toBe("approved");
  });

  it("needs --yes where nobody can answer", async () => {
    const start = await withServers();
    expect(await start.caliban("mcp", "approve", "tools")).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("add --yes"),
    });
    expect(await standingOf(start, "tools")).toBe("needs-approval");
    const { stdout, exitCode } = await start.caliban("mcp", "approve", "tools", "--yes", "--json");
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ kind: "approved", name: "tools" });
  });

  it("holds until a file or the wish changes", async () => {
    const start = await withServers();
    await start.caliban("mcp", "approve", "tools", "--yes");
    await writeFile(join(start.home, "app/tools/server.js"), "evil()");
    expect(await standingOf(start, "tools")).toBe("changed");
    expect((await start.caliban("mcp", "list")).stdout).toContain(
      "changed since it was approved: caliban mcp approve tools",
    );
    const again = await start.caliban("mcp", "approve", "tools", "--yes");
    expect(again.stderr).toContain("It is not as it was when you approved it.");
    expect(await standingOf(start, "tools")).toBe("approved");
    const wish = WISHES.replace('"./tools/server.js"', '"./tools/server.js", "--evil"');
    await writeFile(join(start.home, "app/.caliban/settings.toml"), wish);
    expect(await standingOf(start, "tools")).toBe("changed");
  });

  it.for([
    ["tolls", 3, 'there is no MCP server "tolls" here. Did you mean tools?'],
    [
      "\u001B[2K",
      3,
      'there is no MCP server "\\u001b[2K" here. `caliban mcp list` shows them all.',
    ],
    ["greedy", 1, "greedy cannot be approved: it asks for ANTHROPIC_API_KEY"],
    ["mine", 1, "mine is in your own settings and needs no approval"],
    ["off", 1, "off cannot be approved: it is turned off"],
  ] as const)("refuses %j with exit code %i", async ([name, exitCode, expected]) => {
    const { caliban } = await withServers(OWN);
    const refused = await caliban("mcp", "approve", name, "--yes");
    expect(refused).toMatchObject({ exitCode, stdout: "" });
    expect(refused.stderr).toContain(expected);
  });
});

describe("caliban mcp forget", () => {
  it("takes the approval back", async () => {
    const start = await withServers();
    await start.caliban("mcp", "approve", "tools", "--yes");
    expect(await start.caliban("mcp", "forget", "tools")).toMatchObject({
      exitCode: 0,
      stdout: "forgot the approval of tools; it needs a new one\n",
    });
    expect(await standingOf(start, "tools")).toBe("needs-approval");
    expect(await start.caliban("mcp", "forget", "tools")).toMatchObject({
      exitCode: 3,
      stderr: "caliban: tools has no approval that could be taken back\n",
    });
    expect(await start.caliban("mcp", "forget", "tool")).toMatchObject({
      exitCode: 3,
      stdout: "",
      stderr: expect.stringContaining("there is no MCP server"),
    });
  });

  it("takes back what nobody wishes for any more", async () => {
    const start = await withServers();
    await start.caliban("mcp", "approve", "tools", "--yes");
    await writeFile(join(start.home, "app/.caliban/settings.toml"), "");
    const { stdout, exitCode } = await start.caliban("mcp", "forget", "tools", "--json");
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toEqual({ kind: "forgotten", name: "tools" });
  });
});

describe("a repository's settings", () => {
  it("add no server to the effective ones, and are not called ignored", async () => {
    const { caliban } = await withServers(OWN);
    const { stdout, stderr } = await caliban("settings");
    expect(stdout).toMatch(/^mcp\.servers +\{"mine":.*user ~\/\.config\/caliban\/settings\.toml$/m);
    expect(stdout).not.toContain("./tools/server.js");
    expect(stdout).not.toContain("hunter2");
    expect(stderr).not.toContain("ignored");
    expect(stderr).toContain("mcp.servers.mine.env.MY_TOKEN looks like a secret");
  });

  it("cannot take the name of a server of the person's own", async () => {
    const start = await withServers('[mcp.servers.tools]\ncommand = "mine"\n');
    const { stderr } = await start.caliban("mcp", "list");
    expect(stderr).toMatch(
      /settings\.toml:1:1: mcp\.servers\.tools is ignored here: you have a server of that name\./,
    );
    expect(await standingOf(start, "tools")).toBe("yours");
  });

  it("are not heard where the person turned that name off", async () => {
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

describe("caliban doctor", () => {
  it("looks at servers: programs, variables, and what waits", async () => {
    const own = `${OWN}\n[mcp.servers.gone]\ncommand = "no-such-program"\n`;
    const start = (await withServers(own)).with({});
    const { stdout, exitCode } = await start
      .with({ env: { HOME: start.home, PATH: "/usr/bin:/bin" } })
      .caliban("doctor");
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(
      /^PROBLEM +server gone +There is no program no-such-program to start\.$/m,
    );
    expect(stdout).toMatch(/^note +server off +It is turned off in ~\/\.config\S+\.$/m);
    expect(stdout).toMatch(/^note +server tools +It is not approved, so it is not used\.$/m);
    expect(stdout).toMatch(/^ +-> caliban mcp approve tools$/m);
    expect(stdout).toMatch(
      /^note +server greedy +\S+ wishes for it, and it cannot be used: it asks/m,
    );
    expect(stdout).not.toContain("hunter2");
  });

  it("names the variables that an approved server goes without", async () => {
    const start = await withServers();
    const env = { HOME: start.home, PATH: join(process.execPath, "..") };
    const set = start.with({ env });
    await set.caliban("mcp", "approve", "tools", "--yes");
    const { stdout } = await set.caliban("doctor");
    expect(stdout).toMatch(/^note +server tools +GITHUB_TOKEN is not set, so it goes without\.$/m);
    const whole = await start.with({ env: { ...env, GITHUB_TOKEN: "t" } }).caliban("doctor");
    expect(whole.stdout).toMatch(/^ok +server tools +Approved: node \.\/tools\/server\.js$/m);
  });
});

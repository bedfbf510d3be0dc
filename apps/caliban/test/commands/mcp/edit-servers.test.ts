import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Machine, machine } from "../../fake-host.ts";

const SETTINGS = ".config/caliban/settings.toml";

const COMMENTED = `# mine
[memory] # tiers
auto = true

[mcp.servers.old] # the first one
command = "npx" # found in PATH
`;

async function settingsOf({ home }: Machine): Promise<string> {
  return await readFile(join(home, SETTINGS), "utf8");
}

describe("caliban mcp add", () => {
  it("writes a program with its arguments and shows what it wrote", async () => {
    const start = await machine();
    const table = `[mcp.servers.files]\ncommand = "npx"\nargs = ["-y", "--json", "some server"]\n`;
    const add = ["mcp", "add", "files", "--", "npx", "-y", "--json", "some server"];
    expect(await start.caliban(...add)).toEqual({
      exitCode: 0,
      stdout: `added to ~/${SETTINGS}:\n\n${table}\nIt starts with the next conversation; in an open one, type /mcp reload.\n`,
      stderr: "",
    });
    expect(await settingsOf(start)).toBe(table);
    expect((await stat(join(start.home, SETTINGS))).mode & 0o777).toBe(0o600);
    expect((await start.caliban("mcp", "list")).stdout).toContain('npx -y --json "some server"');
  });

  it("writes a URL with the variable of its token, and keeps the rest of the file", async () => {
    const start = await machine({ [SETTINGS]: COMMENTED });
    const url = "https://example.com/mcp";
    await start.caliban("mcp", "add", "web", url, "--token-env", "WEB_TOKEN");
    expect(await settingsOf(start)).toBe(
      `${COMMENTED}\n[mcp.servers.web]\nurl = "${url}"\ntoken_env = "WEB_TOKEN"\n`,
    );
  });

  it("adds to servers that are written as an inline table", async () => {
    const start = await machine({ [SETTINGS]: 'mcp.servers = { old = { command = "npx" } }\n' });
    await start.caliban("mcp", "add", "new", "--env", "PORT=1", "--", "node", "x.js");
    const { stdout } = await start.caliban("mcp", "list", "--json");
    const { servers } = JSON.parse(stdout) as { servers: readonly { name: string }[] };
    expect(servers.map(({ name }) => name).toSorted()).toEqual(["new", "old"]);
  });

  it("never shows what looks like a secret, and warns about it", async () => {
    const start = await machine();
    const secret = ["--env", "MY_TOKEN=hunter2", "--", "npx", "--token=hunter2"];
    const { stdout, stderr } = await start.caliban("mcp", "add", "x", ...secret);
    expect(stdout + stderr).not.toContain("hunter2");
    expect(stderr).toContain("mcp.servers.x.env.MY_TOKEN looks like a secret");
    expect(await settingsOf(start)).toContain("hunter2");
  });

  it.for([
    [["old", "npx"], "already in this file"],
    [["Bad__Name", "npx"], "a server name consists of"],
    [["web", "https://"], "must be"],
    [["web", "https://example.com/mcp", "more"], "a URL takes no arguments"],
    [["web", "https://example.com/mcp", "--env", "A=b"], "--env and --pass-env are for a program"],
    [["x", "npx", "--token-env", "T"], "--token-env is for a URL"],
    [["x", "npx", "--env", "novalue"], "--env takes NAME=text"],
  ] as const)("rejects %j and leaves the file alone", async ([operands, message]) => {
    const start = await machine({ [SETTINGS]: COMMENTED });
    const { exitCode, stderr } = await start.caliban("mcp", "add", ...operands);
    expect(exitCode).not.toBe(0);
    expect(stderr).toContain(message);
    expect(await settingsOf(start)).toBe(COMMENTED);
  });
});

describe("caliban mcp remove", () => {
  it("removes a server that was added, and nothing else", async () => {
    const start = await machine({ [SETTINGS]: COMMENTED });
    await start.caliban("mcp", "add", "files", "--", "npx", "-y", "x");
    const { stdout, exitCode } = await start.caliban("mcp", "remove", "files");
    expect(exitCode).toBe(0);
    expect(stdout).toContain('[mcp.servers.files]\ncommand = "npx"\nargs = ["-y", "x"]\n');
    expect((await settingsOf(start)).trimEnd()).toBe(COMMENTED.trimEnd());
  });

  it("removes a server that is invalid, so that caliban starts again", async () => {
    const start = await machine({ [SETTINGS]: `${COMMENTED}\n[mcp.servers.bad]\ncommand = 3\n` });
    expect(await start.caliban("mcp", "remove", "bad")).toMatchObject({ exitCode: 0 });
    expect(await start.caliban("mcp", "list")).toMatchObject({ exitCode: 0, stderr: "" });
  });

  it("exits with 3 for a server that is not in the user's settings", async () => {
    const start = await machine({
      [SETTINGS]: COMMENTED,
      "app/.caliban/settings.toml": '[mcp.servers.theirs]\ncommand = "node"\n',
    });
    expect(await start.caliban("mcp", "remove", "odl")).toMatchObject({
      exitCode: 3,
      stderr: "caliban: no such MCP server: \"odl\"; did you mean 'old'?\n",
    });
    expect(await start.caliban("mcp", "remove", "theirs")).toMatchObject({
      exitCode: 3,
      stderr: expect.stringContaining("settings set mcp.servers.theirs.enabled false"),
    });
    expect(await settingsOf(start)).toBe(COMMENTED);
  });
});

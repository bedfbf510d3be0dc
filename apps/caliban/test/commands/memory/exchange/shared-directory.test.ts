import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { writeFiles } from "../../../../../../test/support/write-files.ts";
import { type Machine, machine } from "../../../fake-host.ts";

const THEIRS = "---\nname: role\ndescription: who they are\ntype: user\n---\n\nA tester.\n";
const INDEX = "# Memory\n\n- [Role](role.md) — who they are\n";

/** A machine on which caliban and Claude Code use one directory. */
async function shared(): Promise<{ readonly start: Machine; readonly directory: string }> {
  const start = await machine({
    ".config/caliban/settings.toml": '[memory]\ndirectory = "claude"\n',
  });
  const project = join(start.home, "app").replaceAll(/[^A-Za-z0-9]/g, "-");
  const directory = join(start.home, ".claude/projects", project, "memory");
  await writeFiles(directory, { "MEMORY.md": INDEX, "role.md": THEIRS });
  return { start, directory };
}

async function write(start: Machine, name: string, ...more: readonly string[]): Promise<void> {
  const typing = start.with({ readInput: async () => `About ${name}.` });
  const flags = ["--type", "project", "--description", `what ${name} is`];
  const { exitCode, stderr } = await typing.caliban("memory", "write", name, ...flags, ...more);
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
}

describe('[memory] directory = "claude"', () => {
  it("uses Claude Code's directory, and every command shows it", async () => {
    const { start } = await shared();
    const directory = "~/.claude/projects/-SLUG/memory";
    expect((await start.caliban("memory", "path")).stdout).toBe(`${directory}\n`);
    expect((await start.caliban("memory")).stdout).toContain(`${directory}/MEMORY.md`);
    expect((await start.caliban("memory", "explain")).stdout).toContain(`${directory}/MEMORY.md`);
    expect((await start.caliban("doctor")).stdout).toContain("(shared with Claude Code)");
    expect((await start.caliban("prompt")).stdout).toContain("- [Role](role.md) — who they are");
    expect((await start.caliban("settings")).stdout).toContain("claude");
  });

  it("writes only topics and the index into the shared directory", async () => {
    const { start, directory } = await shared();
    await write(start, "deploy");
    expect((await readdir(directory)).toSorted()).toEqual(["MEMORY.md", "deploy.md", "role.md"]);
    expect(await readFile(join(directory, "MEMORY.md"), "utf8")).toBe(
      "# Memory\n\n- [deploy](deploy.md) — project: what deploy is\n- [Role](role.md) — who they are\n",
    );
    expect(await readFile(join(directory, "role.md"), "utf8")).toBe(THEIRS);
    const paths = JSON.parse((await start.caliban("memory", "path", "--json")).stdout) as {
      historyDirectory: string;
    };
    expect(paths.historyDirectory).toMatch(/^~\/\.local\/share\/caliban\/projects\/.*\/history$/);
  });

  it("restores by its id what Claude Code overwrote", async () => {
    const { start, directory } = await shared();
    await write(start, "deploy");
    const ours = await readFile(join(directory, "deploy.md"), "utf8");
    await writeFile(join(directory, "deploy.md"), THEIRS);
    const log = await start.caliban("memory", "log");
    const [, id = ""] = /^ {2}(\w+) .* external +edit +deploy/m.exec(log.stdout) ?? [];
    expect(id).not.toBe("");
    expect((await start.caliban("memory", "undo", id)).exitCode).toBe(0);
    expect(await readFile(join(directory, "deploy.md"), "utf8")).toBe(ours);
  });

  it.for([
    [["--no-memory"], {}] as const,
    [["--bare"], {}] as const,
    [[], { CALIBAN_DISABLE_AUTO_MEMORY: "1" }] as const,
  ])("records no external changes when auto-memory is turned off: %j", async ([flags, env]) => {
    const { start, directory } = await shared();
    await write(start, "deploy");
    await writeFile(join(directory, "deploy.md"), THEIRS);
    const off = start.with({ env: { HOME: start.home, ...env } });
    await off.caliban("memory", "log", ...flags);
    await off.caliban("memory", "doctor", ...flags);
    const [home = ""] = await readdir(join(start.home, ".local/share/caliban/projects"));
    const history = join(
      start.home,
      ".local/share/caliban/projects",
      home,
      "history/changes.jsonl",
    );
    expect(await readFile(history, "utf8")).not.toContain('"other"');
  });

  it("finds nothing to import from or export to itself", async () => {
    const { start } = await shared();
    const imported = await start.caliban("memory", "import", "--yes");
    expect(imported.stdout).toContain("unchanged    role");
    const exported = await start.caliban("memory", "export", "--to", "claude");
    expect(exported.stderr).toContain("the topics are already in");
  });

  it.for(["claude-memory", "./claude", "Claude"])("rejects %s as a directory", async (word) => {
    const start = await machine({
      ".config/caliban/settings.toml": `[memory]\ndirectory = "${word}"\n`,
    });
    const { exitCode, stderr } = await start.caliban("memory", "path");
    expect(exitCode).toBe(2);
    expect(stderr).toContain('or "claude" for the directory that Claude Code uses for the project');
  });

  it("ignores 'claude' in the environment variable, which must be an absolute path", async () => {
    const start = await machine();
    const env = { HOME: start.home, CALIBAN_AUTO_MEMORY_DIRECTORY: "claude" };
    expect((await start.with({ env }).caliban("memory", "path")).stdout).toBe(
      "~/.local/share/caliban/projects/SLUG/memory\n",
    );
  });
});

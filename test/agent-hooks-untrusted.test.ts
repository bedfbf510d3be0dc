import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, readFileSync } from "node:fs";
import { mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createHome } from "./support/run-caliban.ts";

describe("hooks for other agents in a repository of others", () => {
  it("runs no command of the repository to test the delivery of notes", async () => {
    // Runs every hook that it finds, as agents do.
    const agent = `#!${process.execPath}
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
const { hooks } = JSON.parse(readFileSync(".claude/settings.local.json", "utf8"));
const input = JSON.stringify({ session_id: "x", hook_event_name: "UserPromptSubmit", prompt: "x" });
for (const { command } of Object.values(hooks).flat().flatMap((group) => group.hooks))
  spawnSync("sh", ["-c", command], { input });
await fetch(process.env.ANTHROPIC_BASE_URL + "/v1/messages", { method: "POST", body: '{"tools":["Bash"]}' });
`;
    const { home, run } = await createHome({
      "bin/claude": agent,
      "bin/package.json": '{"type":"module"}',
    });
    chmodSync(join(home, "bin/claude"), 0o755);
    const env = { PATH: `${join(home, "bin")}:${process.env["PATH"]}` };
    const planted = join(home, "planted");
    const file = join(home, "app/.claude/settings.local.json");
    await run(["hook", "install", "claude", "--project", "--yes"]);
    const { hooks } = JSON.parse(readFileSync(file, "utf8"));
    const evil = { type: "command", command: `touch ${planted}; caliban hook run claude` };
    const withEvil = { hooks: { ...hooks, Stop: [{ hooks: [evil] }] } };
    await writeFile(file, JSON.stringify(withEvil));
    const report = (await run(["doctor", "--hooks"], { env })).stdout;
    expect(report).toMatch(/claude hooks \(project\): UserPromptSubmit +dropped/);
    await writeFile(file, JSON.stringify({ hooks: { UserPromptSubmit: [{ hooks: [evil] }] } }));
    expect((await run(["doctor", "--hooks"], { env })).stdout).toContain(
      "commands of a repository are not run for a test",
    );
    expect(existsSync(planted)).toBe(false);
  });

  it.for([
    ["a pipe", "not a regular file", "not a regular file"],
    ["a link to a device that never ends", "not a regular file", "leads out of the workspace"],
    ["deeply nested JSON", "", "nested too deeply"],
  ] as const)("lists hooks and checks them next to %s", async ([kind, problem, refusal]) => {
    const { home, run } = await createHome();
    const file = join(home, "app/.claude/settings.local.json");
    await mkdir(join(file, ".."), { recursive: true });
    if (kind === "a pipe") execFileSync("mkfifo", [file]);
    else if (kind.startsWith("a link")) await symlink("/dev/zero", file);
    else await writeFile(file, `{"a":${"[".repeat(100_000)}${"]".repeat(100_000)}}`);
    const listed = await run(["hook"]);
    expect(listed.exitCode).toBe(0);
    expect(listed.stdout).toContain(problem);
    expect((await run(["doctor"])).stdout).toContain("✓ workspace");
    const installed = await run(["hook", "install", "claude", "--project", "--yes"]);
    expect(installed).toMatchObject({ exitCode: 1, stdout: "" });
    expect(installed.stderr).toContain(refusal);
  });

  it("follows no link of a workspace to a file outside of it, and none to nothing", async () => {
    const { home, run } = await createHome({ "mine.json": "{}\n" });
    const directory = join(home, "app/.claude");
    await mkdir(directory);
    await symlink(join(home, "mine.json"), join(directory, "settings.local.json"));
    const install = async (agent: string, ...more: readonly string[]) =>
      await run(["hook", "install", agent, "--yes", ...more]);
    expect(await install("claude", "--project")).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining("a link that leads out of the workspace, to"),
    });
    expect(readFileSync(join(home, "mine.json"), "utf8")).toBe("{}\n");
    await rm(directory, { recursive: true });
    await mkdir(join(home, "elsewhere"));
    await symlink(join(home, "elsewhere"), join(home, "app/.opencode"));
    expect((await install("opencode", "--project")).exitCode).toBe(1);
    expect(existsSync(join(home, "elsewhere/plugin"))).toBe(false);
    await mkdir(join(home, ".claude"));
    await symlink("nowhere.json", join(home, ".claude/settings.json"));
    expect((await install("claude")).stderr).toContain("a link to a file that does not exist");
  });
});

it("answers a hook although the agent leaves its pipe open", async () => {
  const { home, run, start } = await createHome();
  await run([
    "memory",
    "write",
    "use-pnpm",
    "--text",
    "Use pnpm here.",
    "--applies-command",
    "npm *",
  ]);
  await run(["hook", "refresh"]);
  const { child, ended } = start(["hook", "run", "claude"], { isStdinOpen: true });
  const event = {
    session_id: "s",
    hook_event_name: "PostToolUse",
    cwd: join(home, "app"),
    tool_name: "Bash",
    tool_input: { command: "npm install" },
  };
  child.stdin?.write(`${JSON.stringify(event)}\n`);
  const { exitCode, stdout } = await ended;
  expect({ exitCode, note: stdout }).toEqual({
    exitCode: 0,
    note: expect.stringContaining("Use pnpm here."),
  });
});

// `pnpm executable:test [FILE…]`: runs tests of the built program against the standalone executable of this machine, and
// tests of crashes and races in the runtime inside it. Build it first, with `pnpm executable`.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { executableName, hostTarget } from "./executable/targets.ts";
import { root, toolEnvironment } from "./workspace.mjs";

/** Those that start the program, over the wire, in a terminal and for a browser. */
const PROGRAM_TESTS = [
  "executable",
  "bin",
  "headless",
  "agent-on-the-wire",
  "agent-hooks",
  "acp",
  "mcp",
  "terminal",
  "screen",
  "command-line-on-a-terminal",
  "shell-completion",
  "plan-mode",
  "custom-commands",
  "rewind",
  "subagents",
  "sandbox",
  "cli-page",
  "memory-page-safety",
  "postgres-memory",
  "tour",
].map((name) => `test/${name}`);

/** Those that kill processes, or let them write at the same time. */
const PROCESS_TESTS = [
  "apps/caliban/test/checkpoints/killed-rewind",
  "apps/caliban/test/conversation/turn/killed-mid-turn",
  "packages/autonomous-memory/test/node/generations/crash",
  "packages/autonomous-memory/test/node/generations/race",
  "packages/autonomous-memory/test/node/run/crash",
  "packages/autonomous-memory/test/node/run/many-processes",
  "packages/autonomous-memory/test/node/store/processes",
  "packages/common/test/node/lock",
  "packages/memory/test/node/search/processes",
  "packages/memory/test/node/topics/transaction",
  "packages/memory/test/node/topics/two-agents",
  "packages/sessions/test/node/resume-session",
];

const executable = join(root, "dist/executable", executableName(hostTarget()));
if (!existsSync(executable)) throw new Error("not built; run `pnpm executable` first");

const chosen = process.argv.slice(2);
const passes = (files: readonly string[]): readonly string[] =>
  chosen.length === 0 ? files : files.filter((file) => chosen.some((word) => file.includes(word)));
const runs = [
  { project: "workspace", files: PROGRAM_TESTS, env: { CALIBAN_EXECUTABLE: executable } },
  // As itself, the runtime runs any file.
  {
    project: "unit",
    files: PROCESS_TESTS,
    env: { CALIBAN_RUNTIME: executable, BUN_BE_BUN: "1" },
  },
];
for (const { project, files, env } of runs) {
  if (passes(files).length === 0) continue;
  const code = await vitest(["run", "--project", project, ...passes(files)], env);
  if (code !== 0) process.exitCode = 1;
}

async function vitest(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<number> {
  const child = spawn("vitest", args, {
    cwd: root,
    env: { ...toolEnvironment, ...env },
    stdio: "inherit",
    shell: process.platform === "win32",
  });
  return await new Promise((resolve) => child.once("close", (code) => resolve(code ?? 1)));
}

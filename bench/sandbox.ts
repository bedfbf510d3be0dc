import { tmpdir } from "node:os";
import { createToolRunner, type PermissionMode } from "../packages/agent-core/src/index.ts";
import { createFileTools, probeSandbox } from "../packages/tools-builtin/src/node/index.ts";
import {
  countQuestions,
  ORDINARY_SESSIONS,
  PROTECTED_BEFORE,
  PROTECTED_NOW,
  type Surroundings,
} from "../packages/tools-builtin/test/sandbox/ordinary-sessions.ts";
import { root } from "../scripts/workspace.mjs";
import { interleaveJobs } from "./interleave.ts";
import { type Measurement, timing } from "./measurement.ts";

const ROUNDS = 40;
const MAX_OVERHEAD_MS = 25;

/** What the sandbox costs per command, in this checkout, and how many questions it saves. */
export async function benchSandbox(): Promise<readonly (Measurement | string)[]> {
  const { env, platform } = process;
  const found = await probeSandbox({ env, platform, untrustedDirectories: [], needsProxy: true });
  if (found.kind === "none") return [`  skipped: ${found.reason}`, ...questionLines()];
  const [bare = 0, readOnly = 0, writable = 0, proxied = 0] = await interleaveJobs(
    [
      commandJob("yolo", []),
      commandJob("default", []),
      commandJob("accept-edits", []),
      commandJob("default", ["example.com"]),
    ],
    ROUNDS,
  );
  const overhead = Math.max(readOnly, writable) - bare;
  return [
    timing("a command without the sandbox", bare),
    timing("in the sandbox, read-only", readOnly, bare),
    timing("in the sandbox, with write access to this checkout", writable, bare),
    timing("in the sandbox, read-only, with allowed hosts", proxied, bare),
    `  at most ${overhead.toFixed(1)} ms more than without the sandbox (limit ${MAX_OVERHEAD_MS} ms)`,
    ...questionLines(),
  ];
}

/** Runs the shortest command there is. The mode decides how it is confined. */
function commandJob(mode: PermissionMode, allowedHosts: readonly string[]): () => Promise<void> {
  const tools = createFileTools({
    root,
    home: process.env["HOME"] ?? tmpdir(),
    env: process.env,
    sandbox: { mode: "auto", allowedHosts },
  });
  const { run } = createToolRunner({ tools, policy: { allow: [], ask: [], deny: [], mode } });
  return async () => {
    const { text } = await run({ name: "Bash", input: { command: ":" } });
    if (text !== "No output. Exit code 0.") throw new Error(text);
  };
}

function questionLines(): readonly string[] {
  const before = countAll({ hasSandbox: false, protectionReason: PROTECTED_BEFORE });
  const without = countAll({ hasSandbox: false, protectionReason: PROTECTED_NOW });
  const confined = countAll({ hasSandbox: true, protectionReason: PROTECTED_NOW });
  return [
    `  questions in ten ordinary sessions: ${before} before, ${without} without the sandbox, ${confined} with it`,
  ];
}

function countAll(given: Surroundings): number {
  return ORDINARY_SESSIONS.reduce((total, session) => total + countQuestions(session, given), 0);
}

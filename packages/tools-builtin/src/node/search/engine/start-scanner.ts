import { type ChildProcess, spawn } from "node:child_process";
import type { EventEmitter } from "node:events";
import { parse } from "node:path";
import { type ScanJob, scanProcessProgram, scanThreadProgram } from "./scan-worker.ts";
import type { FoundFile } from "./search-request.ts";

// oxlint-disable-next-line no-restricted-globals -- the runtime that runs this is the one that runs the scan
const { execPath, versions } = process;

/** Reads files for a search. It can be ended while an expression backtracks. */
export interface Scanner {
  readonly scan: (names: readonly string[]) => Promise<readonly FoundFile[]>;
  readonly end: () => Promise<void>;
}

/** Bun, the runtime of the standalone executable, cannot end a thread within an expression. */
export async function startScanner(job: ScanJob): Promise<Scanner> {
  return versions["bun"] === undefined ? await startThread(job) : startProcess(job);
}

async function startThread(job: ScanJob): Promise<Scanner> {
  const { Worker } = await import("node:worker_threads");
  const worker = new Worker(scanThreadProgram(), {
    eval: true,
    workerData: job,
    env: {},
    execArgv: [],
  });
  return {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- not a window
    scan: async (names) => await answerOf(worker, () => worker.postMessage(names)),
    end: async () => void (await worker.terminate()),
  };
}

/** The executable runs any program if a variable says so. */
function startProcess(job: ScanJob): Scanner {
  const child = spawn(execPath, ["-e", scanProcessProgram()], {
    env: { BUN_BE_BUN: "1" },
    // Not in the workspace, whose files could configure it.
    cwd: parse(execPath).root,
    stdio: ["ignore", "ignore", "ignore", "ipc"],
    windowsHide: true,
  });
  return {
    scan: async (names) => await answerOf(child, () => child.send({ job, names })),
    end: async () => await ended(child),
  };
}

async function answerOf(from: EventEmitter, ask: () => unknown): Promise<readonly FoundFile[]> {
  const { promise, resolve, reject } = Promise.withResolvers<readonly FoundFile[]>();
  const onExit = (): void => reject(new Error("the search was ended"));
  from.once("message", resolve);
  from.once("error", reject);
  from.once("exit", onExit);
  ask();
  try {
    return await promise;
  } finally {
    from.off("message", resolve);
    from.off("error", reject);
    from.off("exit", onExit);
  }
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  child.kill("SIGKILL");
  await exited;
}

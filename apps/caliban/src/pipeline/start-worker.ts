import { Worker, type WorkerOptions } from "node:worker_threads";
import type { PipelineEvent } from "@caliban/autonomous-memory";
import { terminalSafeLine } from "@caliban/common";
import { emptyReport, type JobEnd, type PipelineJob } from "./pipeline-job.ts";
import { THREAD_LIMITS } from "./thread-limits.ts";
import type { WorkerMessage, WorkerOrder } from "./worker-message.ts";

export interface StartWorkerInput {
  readonly job: PipelineJob;
  readonly onEvent?: ((event: PipelineEvent) => void) | undefined;
  /** Whether the process waits for it; one in the background never keeps a process. */
  readonly isAwaited: boolean;
}

/** A run of the pipeline in a thread of its own. */
export interface PipelineWorker {
  /** Always comes: a thread that crashes is a run that failed. */
  readonly end: Promise<JobEnd>;
  /** Has it give back what it holds, for a moment; then it is ended. */
  readonly stop: () => Promise<void>;
}

const PATIENCE_MS = 500;

/** Starts a job. What the thread prints reaches nobody: it speaks by messages. */
export function startWorker({ job, onEvent, isAwaited }: StartWorkerInput): PipelineWorker {
  const { promise: end, resolve } = Promise.withResolvers<JobEnd>();
  const fail = (reason: string): void => resolve({ report: emptyReport("failed", reason) });
  const worker = openThread(job);
  worker.on("message", (message: WorkerMessage) => {
    if (message.type === "event") onEvent?.(message.event);
    else resolve(message.end);
  });
  worker.on("error", (error: unknown) => fail(crashSentence(error)));
  worker.on("exit", (code) => fail(`its thread ended before its time (${code})`));
  // Whoever reads what a thread prints, or begins to listen to it, is kept by it.
  if (isAwaited) drain(worker);
  else worker.unref();
  return {
    end,
    stop: async () => {
      const order: WorkerOrder = "stop";
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread of Node, and no window
      worker.postMessage(order);
      await settledWithin(end, PATIENCE_MS);
      await worker.terminate();
    },
  };
}

/** Beside this file, under the name that it has in the source and in the built program. */
function openThread(job: PipelineJob): Worker {
  const isSource = import.meta.url.endsWith(".ts");
  const options: WorkerOptions = {
    name: "caliban pipeline",
    workerData: job,
    env: Object.fromEntries(Object.entries(job.env).filter(([, value]) => value !== undefined)),
    stdout: true,
    stderr: true,
    resourceLimits: THREAD_LIMITS,
    ...(isSource && { execArgv: ["--conditions=caliban:source"] }),
  };
  const name = isSource ? "./worker.ts" : "./pipeline-worker.js";
  return new Worker(new URL(name, import.meta.url), options);
}

/** A thread that printed much does not end before somebody has read it. */
function drain({ stdout, stderr }: Worker): void {
  stdout.resume();
  stderr.resume();
}

function crashSentence(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "ERR_WORKER_OUT_OF_MEMORY")
    return `it needed more than ${THREAD_LIMITS.maxOldGenerationSizeMb} MB of memory`;
  const words = error instanceof Error ? error.message : String(error);
  return `its thread crashed, which is a bug in caliban: ${terminalSafeLine(words)}`;
}

async function settledWithin(promise: Promise<unknown>, patienceMs: number): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, patienceMs);
  try {
    await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

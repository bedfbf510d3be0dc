import { type ResourceLimits, Worker, type WorkerOptions } from "node:worker_threads";
import { emptyReport, type PipelineEvent } from "@caliban/autonomous-memory";
import type { ProjectRun } from "@caliban/autonomous-memory/node";
import { terminalSafeLine } from "@caliban/common";
import type { PipelineJob, WorkerMessage, WorkerOrder } from "./pipeline-job.ts";

export interface StartWorkerInput {
  readonly job: PipelineJob;
  readonly onEvent?: ((event: PipelineEvent) => void) | undefined;
  /** Whether the process waits for it; a run in the background never keeps a process alive. */
  readonly isAwaited: boolean;
}

/** A run of the pipeline in its own thread. */
export interface PipelineWorker {
  /** Always resolves: a thread that crashes counts as a failed run. */
  readonly end: Promise<ProjectRun>;
  /** Lets it release its claims for a moment, then terminates it. */
  readonly stop: () => Promise<void>;
}

/**
 * The memory limits of the thread. Young objects get little space: a transcript is read once and dropped, and with the
 * default the process takes twice the memory without being faster.
 */
export const THREAD_LIMITS: ResourceLimits & { readonly maxOldGenerationSizeMb: number } = {
  maxOldGenerationSizeMb: 512,
  maxYoungGenerationSizeMb: 8,
};

const STOP_TIMEOUT_MS = 500;

/** Starts a job. Output of the thread is discarded: it communicates by messages. */
export function startWorker({ job, onEvent, isAwaited }: StartWorkerInput): PipelineWorker {
  const { promise: end, resolve } = Promise.withResolvers<ProjectRun>();
  const fail = (reason: string): void => resolve({ report: emptyReport("failed", reason) });
  const worker = openThread(job);
  worker.on("message", (message: WorkerMessage) => {
    if (message.type === "event") onEvent?.(message.event);
    else resolve(message.end);
  });
  worker.on("error", (error: unknown) => fail(crashMessage(error)));
  worker.on("exit", (code) => fail(`its thread ended early (exit code ${code})`));
  // Reading the output of a thread keeps the process alive.
  if (isAwaited) drain(worker);
  else worker.unref();
  return {
    end,
    stop: async () => {
      const order: WorkerOrder = "stop";
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a Node thread, not a window
      worker.postMessage(order);
      await settledWithin(end, STOP_TIMEOUT_MS);
      await worker.terminate();
    },
  };
}

/** The worker is next to this file, under different names in the source and in the built program. */
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

/** A thread with much output does not end before it is read. */
function drain({ stdout, stderr }: Worker): void {
  stdout.resume();
  stderr.resume();
}

function crashMessage(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "ERR_WORKER_OUT_OF_MEMORY")
    return `it needed more than ${THREAD_LIMITS.maxOldGenerationSizeMb} MB of memory`;
  const text = error instanceof Error ? error.message : String(error);
  return `its thread crashed, which is a bug in caliban: ${terminalSafeLine(text)}`;
}

async function settledWithin(promise: Promise<unknown>, timeoutMs: number): Promise<void> {
  const { promise: timeout, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, timeoutMs);
  try {
    await Promise.race([promise, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

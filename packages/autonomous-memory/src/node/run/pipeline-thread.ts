import { parentPort, type ResourceLimits, Worker, workerData } from "node:worker_threads";
import { type Environment, type StopSignal, terminalSafeLine } from "@caliban/common";
import { emptyReport } from "../../run/empty-report.ts";
import { INTERRUPTED } from "../../run/interrupted.ts";
import type { PipelineEvent } from "../../run/pipeline-report.ts";
import type { ProjectRun } from "../../store/pipeline-stats.ts";

export interface StartThreadInput {
  /** The URL of the file that calls `servePipelineThread`, such as `import.meta.url` of a file next to it. */
  readonly file: string;
  /** Plain data, which the thread gets as its job. */
  readonly job: unknown;
  readonly env: Environment;
  readonly execArgv?: readonly string[] | undefined;
  readonly onEvent?: ((event: PipelineEvent) => void) | undefined;
  /** Whether the process waits for it; a run in the background never keeps a process alive. */
  readonly isAwaited: boolean;
}

/** A run of the pipeline in its own thread. */
export interface PipelineThread {
  /** Always resolves: a thread that crashes counts as a failed run. */
  readonly end: Promise<ProjectRun>;
  /** Lets it release its claims for a moment, then terminates it. */
  readonly stop: () => Promise<void>;
}

/** A message from the thread. */
type ThreadMessage =
  | { readonly type: "event"; readonly event: PipelineEvent }
  | { readonly type: "end"; readonly end: ProjectRun };

/**
 * The memory limits of the thread. Young objects get little space: a transcript is read once and dropped, and with the
 * default the process takes twice the memory without being faster.
 */
export const THREAD_LIMITS: ResourceLimits & { readonly maxOldGenerationSizeMb: number } = {
  maxOldGenerationSizeMb: 512,
  maxYoungGenerationSizeMb: 8,
};

const STOP_TIMEOUT_MS = 500;

/** Starts a job in a thread. Output of the thread is discarded: it communicates by messages. */
export function startPipelineThread(input: StartThreadInput): PipelineThread {
  const { onEvent, isAwaited } = input;
  // Users wait only for what they started.
  const trigger = isAwaited ? "now" : "start";
  const { promise: end, resolve } = Promise.withResolvers<ProjectRun>();
  let isStopping = false;
  const fail = (reason: string): void =>
    resolve({
      report: isStopping
        ? { ...emptyReport("stopped", INTERRUPTED[trigger]), reasonCode: "INTERRUPTED" }
        : { ...emptyReport("failed", reason), reasonCode: "CRASHED" },
    });
  const worker = openThread(input);
  worker.on("message", (message: ThreadMessage) => {
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
      isStopping = true;
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a Node thread, not a window
      worker.postMessage("stop");
      await settledWithin(end, STOP_TIMEOUT_MS);
      await worker.terminate();
    },
  };
}

function openThread({ file, job, env, execArgv }: StartThreadInput): Worker {
  return new Worker(new URL(file), {
    name: "caliban pipeline",
    workerData: job,
    env: Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined)),
    stdout: true,
    stderr: true,
    resourceLimits: THREAD_LIMITS,
    ...(execArgv !== undefined && { execArgv: [...execArgv] }),
  });
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

/** A job in a thread. */
export interface ThreadRun<Job> {
  readonly job: Job;
  /** Aborted when the run is to release its claims and end soon. */
  readonly signal: StopSignal;
  readonly onEvent: (event: PipelineEvent) => void;
}

/** Runs the job that this thread was started with, and reports its end. Does nothing outside a thread. */
export async function servePipelineThread<Job>(
  run: (input: ThreadRun<Job>) => Promise<ProjectRun>,
): Promise<void> {
  const port = parentPort;
  if (port === null) return;
  const job: Job = workerData;
  const stopping = new AbortController();
  const send = (message: ThreadMessage): void => port.postMessage(message);
  port.once("message", () => stopping.abort());
  // Only the job keeps the thread alive.
  port.unref();
  const onEvent = (event: PipelineEvent): void => send({ type: "event", event });
  send({ type: "end", end: await run({ job, signal: stopping.signal, onEvent }) });
}

import { parentPort, workerData } from "node:worker_threads";
import type { PipelineEvent } from "../../run/pipeline-report.ts";
import type { ProjectRun } from "../../store/project-run.ts";
import type { ThreadMessage } from "./start-thread.ts";

/** A job in a thread. */
export interface ThreadRun<Job> {
  readonly job: Job;
  /** Aborted when the run is to release its claims and end soon. */
  readonly signal: AbortSignal;
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

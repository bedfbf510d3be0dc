import { parentPort, workerData } from "node:worker_threads";
import type { PipelineJob, WorkerMessage } from "./pipeline-job.ts";
import { runJob } from "./run-job.ts";

// The thread of the pipeline runs one job: it starts with the job as data and ends with a message.
const port = parentPort;
if (port !== null) {
  const job: PipelineJob = workerData;
  const stopping = new AbortController();
  const send = (message: WorkerMessage): void => port.postMessage(message);
  port.once("message", () => stopping.abort());
  // Only the job keeps the thread alive.
  port.unref();
  const end = await runJob({
    job,
    signal: stopping.signal,
    onEvent: (event) => send({ type: "event", event }),
  });
  send({ type: "end", end });
}

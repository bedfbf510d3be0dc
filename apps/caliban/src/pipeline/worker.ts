import { randomUUID } from "node:crypto";
import { parentPort, workerData } from "node:worker_threads";
import { thisMachine } from "@caliban/common/node";
import type { PipelineJob } from "./pipeline-job.ts";
import { runJob } from "./run-job.ts";
import type { WorkerMessage } from "./worker-message.ts";

// The thread of the pipeline: one job, from the data it was started with to the message with its end.
const port = parentPort;
if (port !== null) {
  const job: PipelineJob = workerData;
  const stopping = new AbortController();
  const send = (message: WorkerMessage): void => port.postMessage(message);
  port.once("message", () => stopping.abort());
  // Nothing but the work keeps the thread.
  port.unref();
  const end = await runJob({
    job,
    worker: `${thisMachine().pid}-${randomUUID().slice(0, 8)}`,
    signal: stopping.signal,
    onEvent: (event) => send({ type: "event", event }),
  });
  send({ type: "end", end });
}

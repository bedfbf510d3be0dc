import {
  type PipelineThread,
  startPipelineThread,
  type StartThreadInput,
} from "@caliban/autonomous-memory/node";
import type { PipelineJob } from "./plan-job.ts";

export interface StartWorkerInput extends Pick<StartThreadInput, "onEvent" | "isAwaited"> {
  readonly job: PipelineJob;
}

/** Starts a job. The worker is next to this file, under different names in the source and in the built program. */
export function startWorker(input: StartWorkerInput): PipelineThread {
  const isSource = import.meta.url.endsWith(".ts");
  const name = isSource ? "./worker.ts" : "./pipeline-worker.js";
  return startPipelineThread({
    ...input,
    file: new URL(name, import.meta.url).href,
    env: input.job.env,
    execArgv: isSource ? ["--conditions=caliban:source"] : undefined,
  });
}

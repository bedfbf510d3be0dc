import type { PipelineEvent } from "@caliban/autonomous-memory";
import type { JobEnd } from "./pipeline-job.ts";

/** What the thread of the pipeline says. */
export type WorkerMessage =
  | { readonly type: "event"; readonly event: PipelineEvent }
  | { readonly type: "end"; readonly end: JobEnd };

/** What it is told: to end soon, with everything it holds given back. */
export type WorkerOrder = "stop";

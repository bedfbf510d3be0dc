import { servePipelineThread } from "@caliban/autonomous-memory/node";
import { runJob } from "./run-job.ts";

// The thread of the pipeline runs one job: it starts with the job as data and ends with a message.
await servePipelineThread(runJob);

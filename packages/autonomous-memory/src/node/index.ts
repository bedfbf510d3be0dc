export { runPipeline, type RunPipelineInput } from "./run-pipeline.ts";
export { systemClock } from "./system-clock.ts";

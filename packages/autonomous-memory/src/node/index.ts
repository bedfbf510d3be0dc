export { runPipeline, type RunPipelineInput } from "./run-pipeline.ts";
export { systemClock } from "./system-clock.ts";
export { type ReadTurns, readTurns, type ReadTurnsInput } from "./transcript/read-turns.ts";
export { type RedactedText, redactText } from "./transcript/redact-text.ts";

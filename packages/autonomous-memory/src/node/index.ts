// Sources of past sessions
export type { AgentSourceInput } from "./sources/agent-directory.ts";
export { calibanSource, type CalibanSourceInput } from "./sources/caliban-source.ts";
export { claudeSource } from "./sources/claude-source.ts";
export { codexSource } from "./sources/codex-source.ts";
export { listLockedSessions } from "./sources/locked-sessions.ts";
export { createSessionSources, type SessionSourcesInput } from "./sources/session-sources.ts";
export { type ReadTurns, readTurns, type ReadTurnsInput } from "./transcript/read-turns.ts";
export { type RedactedText, redactText } from "./transcript/redact-text.ts";

// State
export {
  openPipelineStore,
  type OpenPipelineStoreInput,
  withPipelineStore,
} from "./store/open-pipeline-store.ts";

// Runs
export type { ExamInput, RunPipelineInput } from "./run/pipeline-run.ts";
export { runPipeline } from "./run/run-pipeline.ts";
export { systemClock } from "./system-clock.ts";
export {
  type PipelineThread,
  servePipelineThread,
  startPipelineThread,
  type StartThreadInput,
  type ThreadRun,
} from "./run/pipeline-thread.ts";

// Projects
export {
  type ClearedProject,
  clearProject,
  type ClearProjectInput,
} from "./project/clear-project.ts";
export { readRejected } from "./generations/rejected-candidates.ts";
export { type ProjectStatsInput, readProjectStats } from "./project/read-project-stats.ts";
export {
  runProject,
  type RunProjectInput,
  skipProjectRun,
  type SkipRunInput,
} from "./project/run-project.ts";

// Memory
export { createGenerations, type GenerationsInput } from "./generations/create-generations.ts";
export {
  listGenerations,
  readGenerationFiles,
  type StoredGeneration,
} from "./generations/list-generations.ts";
export { readCurrentStatus } from "./generations/current-status.ts";
export { type Artifact, readArtifact } from "./generations/read-artifact.ts";
export {
  currentGenerationDirectory,
  currentSkillsDirectory,
  type Guidance,
  readGuidance,
  type ReadGuidanceInput,
} from "./generations/read-guidance.ts";

// Search
export type {
  DocumentSource,
  IndexedDocument,
  PreviousRead,
  ReadEntry,
  SearchTerms,
  ShownDocument,
  ShownText,
  ShownTurn,
  SourceEntry,
} from "./search/document-source.ts";
export { learnedSource } from "./search/learned-source.ts";
export { sessionsSource, type SessionsSourceInput } from "./search/sessions-source.ts";

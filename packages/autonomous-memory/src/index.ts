export type { Clock } from "./clock.ts";
export type {
  Completion,
  CompletionModel,
  CompletionRequest,
  CompletionUsage,
  Extractor,
  JsonSchema,
  ModelRole,
} from "./complete.ts";
export type {
  ConsolidatedMemory,
  ConsolidationTask,
  HandEdit,
  MemorySkill,
  PlacedFile,
  PreviousMemory,
} from "./consolidation/consolidation-task.ts";
export { PipelineError, type PipelineErrorCode } from "./errors.ts";
export type { Extraction, ExtractionTask } from "./extraction/extraction-task.ts";
export type {
  CurrentGeneration,
  Generations,
  NewGeneration,
  WrittenGeneration,
} from "./generation/generations.ts";
export {
  type GuidanceInput,
  type OfferedSkill,
  renderGuidance,
} from "./guidance/render-guidance.ts";
export type { PipelineEvent, PipelineReport } from "./pipeline-report.ts";
export { createRuleModel } from "./rules/create-rule-model.ts";
export type { IdentifiedFile, SessionSource, SourceFile, SourceListing } from "./session-source.ts";
export { DEFAULT_PIPELINE_SETTINGS, type PipelineSettings } from "./settings.ts";
export type { StopSignal } from "./stop-signal.ts";
export { dueQuery, type DueQueryInput } from "./store/due-query.ts";
export type {
  ConsolidationStats,
  JobFailure,
  PipelineStats,
  RunStats,
} from "./store/pipeline-stats.ts";
export type {
  ClaimedSessions,
  ConsolidationClaim,
  ConsolidationOutcome,
  ConsolidationQueue,
  ConsolidationTurn,
  DueCounts,
  DueQuery,
  ErrorClass,
  ExtractionClaim,
  ExtractionOutcome,
  ExtractionQueue,
  FailedOutcome,
  KnownFile,
  Lease,
  NewRun,
  PipelineStore,
  RegistryChanges,
  RunEnd,
  RunLedger,
  RunOutcome,
  SeenExtraction,
  Spending,
  StoreAdmin,
  ThreadKind,
  ThreadRegistry,
} from "./store/pipeline-store.ts";
export type { StoredExtraction } from "./store/stored-extraction.ts";
export { fitTranscript, type FittedTranscript } from "./transcript/fit-transcript.ts";
export type { TranscriptTurn } from "./transcript/transcript-turn.ts";
export type { CollectedTranscript } from "./transcript/turn-collector.ts";

// Models
export {
  combineModels,
  type CombineModelsInput,
  extractorOf,
  type NamedModel,
} from "./combine-models.ts";
export type {
  Complete,
  Completion,
  CompletionModel,
  CompletionRequest,
  CompletionUsage,
  Extractor,
  JsonSchema,
  ModelRole,
} from "./model/completion.ts";
export { createRuleModel } from "./rules/rule-model.ts";
export type { ConsolidationTask, ExtractionTask } from "./tasks.ts";

// Sessions
export type { IdentifiedFile, SessionSource, SourceFile, SourceListing } from "./session-source.ts";
export { fitTranscript, type FittedTranscript } from "./transcript/fit-transcript.ts";
export type { TranscriptTurn } from "./transcript/transcript-turn.ts";
export type { CollectedTranscript } from "./transcript/turn-collector.ts";

// State
export { dueQuery, type DueQueryInput } from "./store/due-query.ts";
export type {
  ConsolidationStats,
  JobFailure,
  PipelineStats,
  RunStats,
} from "./store/pipeline-stats.ts";
export type {
  AttemptFilter,
  ConsolidationClaim,
  ConsolidationClaimResult,
  ConsolidationOutcome,
  ConsolidationQueue,
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
  Spending,
  StoreAdmin,
  ThreadKind,
  ThreadRegistry,
} from "./store/pipeline-store.ts";

// Memory
export type { Extraction, SeenExtraction, StoredExtraction } from "./extraction/extraction.ts";
export type {
  CurrentGeneration,
  Generations,
  NewGeneration,
  WrittenGeneration,
} from "./generation/generations.ts";
export type {
  ConsolidatedMemory,
  HandEdit,
  MemoryFile,
  MemorySkill,
  PreviousMemory,
} from "./generation/memory.ts";
export {
  type GuidanceInput,
  type OfferedSkill,
  renderGuidance,
} from "./generation/render-guidance.ts";

// Runs
export type { Clock } from "./run/clock.ts";
export { PipelineError, type PipelineErrorCode } from "./errors.ts";
export type { OnNotice, PipelineNotice, PipelineNoticeCode } from "./notice.ts";
export { emptyReport, type PipelineEvent, type PipelineReport } from "./run/pipeline-report.ts";
export { DEFAULT_PIPELINE_SETTINGS, type PipelineSettings } from "./settings.ts";
export type { StopSignal } from "./run/stop-signal.ts";

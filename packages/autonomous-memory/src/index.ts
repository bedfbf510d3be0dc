// Models
export {
  combineModels,
  type CombineModelsInput,
  extractorOf,
  type NamedModel,
} from "./model/combine-models.ts";
export type {
  Complete,
  Completion,
  CompletionModel,
  CompletionRequest,
  Extractor,
  ModelRole,
} from "./model/completion.ts";
export { createRuleModel } from "./model/rules/rule-model.ts";
export type { ConsolidationTask } from "./consolidation/consolidation-task.ts";
export type { JsonSchema } from "./prompts/prompt-request.ts";

// Sessions
export type {
  IdentifiedFile,
  SessionSource,
  SourceFile,
  SourceListing,
} from "./transcript/session-source.ts";
export { fitTranscript, type FittedTranscript } from "./transcript/fit-transcript.ts";
export type { TranscriptTurn } from "./transcript/transcript-turn.ts";
export type { CollectedTranscript } from "./transcript/turn-collector.ts";

// State
export { dueQuery, type DueQueryInput } from "./store/due-query.ts";
export type {
  ConsolidationStats,
  JobFailure,
  PipelineStats,
  ProjectRun,
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
  Spending,
  StoreAdmin,
  ThreadKind,
  ThreadRegistry,
} from "./store/pipeline-store.ts";

// Memory
export type {
  Extraction,
  ExtractionTask,
  SeenExtraction,
  StoredExtraction,
} from "./extraction/extraction.ts";
export type {
  CurrentGeneration,
  CurrentStatus,
  Generations,
  NewGeneration,
  RejectedCandidate,
  WrittenGeneration,
} from "./generation/generations.ts";
export type { ExamResult } from "./generation/exam-result.ts";
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

export type { HeldStatement, OpenSessionReview, SessionReview } from "./review/session-review.ts";

// Runs
export type { Clock } from "./run/clock.ts";
export type { ErrorClass } from "./run/classify-error.ts";
export { isPipelineError, PipelineError, type PipelineErrorCode } from "./run/errors.ts";
export type { OnNotice, PipelineNotice, PipelineNoticeCode } from "./run/notice.ts";
export { emptyReport } from "./run/empty-report.ts";
export type {
  PipelineEvent,
  PipelineReport,
  RunOutcome,
  RunReasonCode,
} from "./run/pipeline-report.ts";
export { DEFAULT_PIPELINE_SETTINGS, type PipelineSettings } from "./run/settings.ts";
export type { StopSignal } from "@caliban/common";
export type { CompletionUsage } from "./run/usage.ts";

// Texts for users
export type { MemoryCommands } from "./render/format.ts";
export { renderFailure, renderRun, renderRunLine, type RunLine } from "./render/render-run.ts";
export { missingGeneration, renderStats, type StatsFacts } from "./render/render-stats.ts";
export { formatQueue } from "./render/session-groups.ts";

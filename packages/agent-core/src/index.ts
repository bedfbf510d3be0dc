export type { AgentEvent, TurnOutcome } from "./loop/agent-event.ts";
export { askModel, type Asked, type ModelRequest } from "./model/ask-model.ts";
export { classifyFailure } from "./model/classify-failure.ts";
export type { Clock } from "./clock.ts";
export type { Answer } from "./model/collect-answer.ts";
export {
  COMPACT_AT,
  compacted,
  type CompactionPlan,
  planCompaction,
  SUMMARY_SYSTEM,
  summaryRequest,
} from "./prompt/compaction.ts";
export type {
  AssistantMessage,
  AssistantPart,
  Message,
  ReasoningPart,
  TextPart,
  ToolCallPart,
  ToolCallResult,
  ToolMessage,
  Usage,
  UserMessage,
} from "./message.ts";
export { conversationTokens, messageTokens } from "./prompt/message-tokens.ts";
export type { ModelFailure, ModelFailureCode } from "./model/model-failure.ts";
export { renderTranscript } from "./prompt/render-transcript.ts";
export { DEFAULT_RETRY_POLICY, type RetryPolicy } from "./model/retry.ts";
export type { CallRunner } from "./loop/run-calls.ts";
export { runTurn, type TurnInput, type TurnResult } from "./loop/run-turn.ts";
export { toPrompt, type ToPromptInput } from "./prompt/to-prompt.ts";
export { addUsage, NO_USAGE } from "./model/usage.ts";
export type {
  PermissionAnswer,
  PermissionApprovals,
  PermissionQuestion,
} from "./permissions/permission-gate.ts";
export {
  type ParsedPermissionRule,
  parsePermissionRule,
  type PermissionRule,
} from "./permissions/permission-rule.ts";
export {
  decidePermission,
  PERMISSION_DEFAULTS,
  PERMISSION_MODES,
  type PermissionDecision,
  type PermissionDefault,
  type PermissionKind,
  type PermissionMode,
  type PermissionPolicy,
  type PolicyRule,
} from "./permissions/decide-permission.ts";
export { PERMISSION_CATEGORIES, type PermissionRequest } from "./permissions/match-rule.ts";
export {
  type PromptSection,
  resolveSystemPrompt,
  type SkillSummary,
  type SystemPrompt,
  type SystemPromptInput,
  type ToolSummary,
} from "./prompt/system-prompt.ts";
export {
  type JsonSchema,
  type Tool,
  type CancelSignal,
  type ToolCall,
  type ToolContext,
  type ToolResult,
} from "./tool.ts";
export { createToolRunner, type ToolRunner, type ToolRunnerInput } from "./loop/tool-runner.ts";

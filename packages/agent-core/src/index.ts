export type { AgentEvent, TurnOutcome } from "./agent-event.ts";
export { askModel, type Asked, type ModelRequest } from "./ask-model.ts";
export { classifyFailure } from "./classify-failure.ts";
export type { Clock } from "./clock.ts";
export type { Answer } from "./collect-answer.ts";
export {
  COMPACT_AT,
  compacted,
  type CompactionPlan,
  planCompaction,
  SUMMARY_SYSTEM,
  summaryRequest,
} from "./compaction.ts";
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
export { conversationTokens, messageTokens } from "./message-tokens.ts";
export type { ModelFailure, ModelFailureCode } from "./model-failure.ts";
export { renderTranscript } from "./render-transcript.ts";
export { DEFAULT_RETRY_POLICY, type RetryPolicy } from "./retry-delay.ts";
export type { CallRunner } from "./run-calls.ts";
export { runTurn, type TurnInput, type TurnResult } from "./run-turn.ts";
export { toPrompt, type ToPromptInput } from "./to-prompt.ts";
export { addUsage, NO_USAGE } from "./usage.ts";
export type {
  PermissionAnswer,
  PermissionApprovals,
  PermissionQuestion,
} from "./permission-gate.ts";
export {
  type ParsedPermissionRule,
  parsePermissionRule,
  type PermissionRule,
} from "./permission-rule.ts";
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
} from "./permissions.ts";
export { PERMISSION_CATEGORIES, type PermissionRequest } from "./rule-match.ts";
export {
  type PromptSection,
  resolveSystemPrompt,
  type SkillSummary,
  type SystemPrompt,
  type SystemPromptInput,
  type ToolSummary,
} from "./system-prompt.ts";
export {
  type JsonSchema,
  type Tool,
  type CancelSignal,
  type ToolCall,
  type ToolContext,
  type ToolResult,
} from "./tool.ts";
export { createToolRunner, type ToolRunner, type ToolRunnerInput } from "./tool-runner.ts";

// The loop
export type { AgentEvent, SubagentEvent, TurnOutcome } from "./loop/agent-event.ts";
export type { FinishedToolCall } from "./loop/annotate-result.ts";
export { type AgentView, type AttachableView, createAttachableView } from "./loop/agent-view.ts";
export type { ChildRunner, ChildRunnerInput, CreateChildRunner } from "./loop/child-runner.ts";
export { resultFacts } from "./loop/result-facts.ts";
export type { CallContext } from "./loop/run-calls.ts";
export {
  compactConversation,
  type CompactionInput,
  runTurn,
  type TurnInput,
  type TurnResult,
} from "./loop/run-turn.ts";
export {
  createToolRunner,
  type ProposedCall,
  type ToolRunner,
  type ToolRunnerInput,
} from "./loop/tool-runner.ts";
export type { TurnModel } from "./loop/turn-model.ts";
// Subagents
export type { SubagentRequest } from "./subagent/subagent-request.ts";
export {
  createSubagentTool,
  type Subagent,
  type SubagentToolInput,
} from "./subagent/subagent-tool.ts";
// Messages and tools
export { type Clock, SYSTEM_CLOCK } from "./clock.ts";
export type {
  AssistantMessage,
  AssistantPart,
  Attachment,
  Image,
  ImageAttachment,
  Message,
  ReasoningPart,
  ResultFacts,
  TextAttachment,
  TextPart,
  ToolCallPart,
  ToolCallResult,
  ToolMessage,
  Usage,
  UserMessage,
} from "./message.ts";
export type {
  CancelSignal,
  JsonSchema,
  Notice,
  PartsOf,
  RecentCall,
  SeenResult,
  SeenText,
  Tool,
  ToolCall,
  ToolContext,
  ToolProgress,
  ToolResult,
} from "./tool.ts";
// The model
export { askModel, type ModelReply, type ModelRequest } from "./model/ask-model.ts";
export { classifyFailure } from "./model/classify-failure.ts";
export type { Answer } from "./model/collect-answer.ts";
export type { ModelEvent } from "./model/model-event.ts";
export type { ModelFailure, ModelFailureCode } from "./model/model-failure.ts";
export { DEFAULT_RETRY_POLICY, type RetryPolicy } from "./model/retry.ts";
export { addUsage, NO_USAGE } from "./model/usage.ts";
// Permissions
export {
  type CommandPart,
  parseCommand,
  type ParsedPart,
  type PartReads,
} from "./permissions/command-part.ts";
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
  withEnforcedRules,
} from "./permissions/decide-permission.ts";
export {
  ENFORCED_EFFECTS,
  type EnforcedEffect,
  type EnforcedRule,
  matchingEnforced,
} from "./permissions/enforced-rule.ts";
export { PERMISSION_CATEGORIES, type PermissionRequest } from "./permissions/match-rule.ts";
export type { Objection } from "./permissions/objection.ts";
export { offeredTools } from "./permissions/offered-tools.ts";
export type {
  DeclinedWith,
  PermissionAnswer,
  PermissionApprovals,
  PermissionQuestion,
} from "./permissions/permission-gate.ts";
export {
  type ParsedPermissionRule,
  parsePermissionRule,
  type PermissionRule,
} from "./permissions/permission-rule.ts";
export { type InvalidRule, parsePolicy, type RuleSource } from "./permissions/parse-policy.ts";
export type { SandboxAccess, SandboxRequest } from "./permissions/sandbox-access.ts";
export { commandTexts } from "./permissions/shell/command-candidates.ts";
export { commandParts } from "./permissions/shell/compound-command.ts";
export { createCommandMatcher } from "./permissions/shell/match-command.ts";
export type { CommandReads, ReadTree } from "./permissions/shell/read-only-command.ts";
export { findUnknownRules, type UnknownRule } from "./permissions/unknown-rules.ts";
// The prompt
export { describeAttachment } from "./prompt/render-attachment.ts";
export { conversationTokens } from "./prompt/message-tokens.ts";
export { toolTokens } from "./prompt/request-tokens.ts";
export { seenInMessages } from "./prompt/seen-text.ts";
export { isSummary } from "./prompt/summary-message.ts";
export {
  type PromptSection,
  resolveSystemPrompt,
  type SkillSummary,
  type SystemPrompt,
  type SystemPromptInput,
  type ToolSummary,
} from "./prompt/system-prompt.ts";
export { toPrompt, type ToPromptInput } from "./prompt/to-prompt.ts";

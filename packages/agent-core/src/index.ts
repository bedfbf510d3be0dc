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
  type PermissionDecision,
  type PermissionDefault,
  type PermissionKind,
  type PermissionPolicy,
  type PolicyRule,
} from "./permissions.ts";
export type { PermissionRequest } from "./rule-match.ts";
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

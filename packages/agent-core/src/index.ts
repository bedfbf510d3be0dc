export {
  type PromptSection,
  resolveSystemPrompt,
  type SystemPrompt,
  type SystemPromptInput,
  type ToolSummary,
} from "./system-prompt.ts";

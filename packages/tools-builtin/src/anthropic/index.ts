export {
  anthropicMemoryHandler,
  type AnthropicMemoryHandler,
  type AnthropicMemoryOptions,
  type AnthropicMemoryStore,
} from "./anthropic-memory-handler.ts";

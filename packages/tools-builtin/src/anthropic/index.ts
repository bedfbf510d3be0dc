export {
  anthropicMemoryHandler,
  type AnthropicMemoryHandler,
  type AnthropicMemoryOptions,
  type MemoryOfHandler,
} from "./anthropic-memory-handler.ts";

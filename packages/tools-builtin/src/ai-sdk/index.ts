export { type AiSdkMemoryOptions, memoryTools } from "./ai-sdk-memory-tools.ts";
export { toAiSdkTools } from "./ai-sdk-tools.ts";

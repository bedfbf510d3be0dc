export {
  type AiSdkMemoryOptions,
  type AiSdkMemoryTool,
  type AiSdkMemoryTools,
  memoryTools,
} from "./ai-sdk-memory-tools.ts";
export {
  type AiSdkApprovalOptions,
  type AiSdkMemoryApproval,
  memoryApproval,
} from "./ai-sdk-memory-approval.ts";
export { toAiSdkTools } from "./ai-sdk-tools.ts";

export {
  type MastraMemoryOptions,
  type MastraMemoryTool,
  type MastraMemoryTools,
  memoryTools,
} from "./mastra-tools.ts";

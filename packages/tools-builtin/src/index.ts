export { createMemoryTools } from "./memory/memory-tools.ts";
export type { MemoryToolsInput } from "./memory/memory-tool.ts";
export { createLearnedReview, type LearnedReview } from "./memory/review/judge-learned.ts";
export { type AgentStore, agentTopics } from "./memory-access/agent-topics.ts";
export {
  ALL_MEMORY,
  hiddenMemoryPermission,
  memoryPermission,
} from "./memory-access/memory-permission.ts";
export {
  createMemoryResolver,
  type MemoryResolverInput,
  type ResolvedAddress,
} from "./memory-access/memory-resolver.ts";
export { createPlanTool, type PlanAnswer, type PlanToolInput } from "./plan-tool.ts";
export { createTodoTool } from "./todo-tool.ts";
export { createSkillTool, type SkillText } from "./skill-tool.ts";

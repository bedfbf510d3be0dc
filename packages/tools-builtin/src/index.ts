export { createMemoryTools } from "./memory/memory-tools.ts";
export type { MemoryToolsInput } from "./memory/memory-tool.ts";
export { isAddressDenied, topicPermission, topicsPermission } from "./memory/topic-permission.ts";
export { createSkillTool, type SkillText } from "./skill-tool.ts";

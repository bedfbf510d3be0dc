import type { Tool } from "@caliban/agent-core";
import { DELETE_MEMORY_TOPIC } from "./delete-memory-topic.ts";
import { MEMORY_SEARCH } from "./memory-search.ts";
import { memoryTool, type MemoryToolsInput } from "./memory-tool.ts";
import { READ_MEMORY_TOPIC } from "./read-memory-topic.ts";
import { WRITE_MEMORY_TOPIC } from "./write-memory-topic.ts";

/** The tools by which an agent keeps its memory. Their permissions are the category `memory`. */
export function createMemoryTools(memory: MemoryToolsInput): readonly Tool[] {
  return [
    memoryTool(READ_MEMORY_TOPIC, memory),
    memoryTool(WRITE_MEMORY_TOPIC, memory),
    memoryTool(DELETE_MEMORY_TOPIC, memory),
    memoryTool(MEMORY_SEARCH, memory),
  ];
}

import type { Tool } from "@caliban/agent-core";
import { deferredSearch } from "@caliban/memory";
import type { MemorySearch } from "@caliban/memory/search";
import { DELETE_MEMORY_TOPIC } from "./delete-memory-topic.ts";
import { MEMORY_SEARCH } from "./memory-search.ts";
import { memoryTool, type MemoryToolsInput } from "./memory-tool.ts";
import { READ_MEMORY_TOPIC } from "./read-memory-topic.ts";
import { WRITE_MEMORY_TOPIC } from "./write-memory-topic.ts";

/** The tools by which an agent keeps its memory. Their permissions are the category `memory`. */
export function createMemoryTools(input: MemoryToolsInput): readonly Tool[] {
  const memory = { ...input, search: input.search ?? deferredSearch(() => searchOf(input)) };
  return [
    memoryTool(READ_MEMORY_TOPIC, memory),
    memoryTool(WRITE_MEMORY_TOPIC, memory),
    memoryTool(DELETE_MEMORY_TOPIC, memory),
    memoryTool(MEMORY_SEARCH, memory),
  ];
}

async function searchOf({ store }: MemoryToolsInput): Promise<MemorySearch> {
  const { createStoreSearch } = await import("@caliban/memory/search");
  return createStoreSearch(store);
}

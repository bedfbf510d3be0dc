import type { Tool } from "@caliban/agent-core";
import { lazyMemorySearch } from "@caliban/memory";
import type { MemorySearch } from "@caliban/memory/search";
import { DELETE_MEMORY_TOPIC } from "./delete-memory-topic.ts";
import {
  createMemoryTool,
  type MemoryToolsInput,
  type MemoryToolDefinition,
} from "./memory-tool.ts";
import { READ_MEMORY_TOPIC } from "./read-memory-topic.ts";
import { WRITE_MEMORY_TOPIC } from "./write-memory-topic.ts";

/** The tools by which an agent keeps its memory. Their permissions are the category `memory`. */
export function createMemoryTools(input: MemoryToolsInput): readonly Tool[] {
  const memory = { ...input, search: input.search ?? lazyMemorySearch(() => searchOf(input)) };
  return [
    createMemoryTool(READ_MEMORY_TOPIC, memory),
    createMemoryTool(WRITE_MEMORY_TOPIC, memory),
    createMemoryTool(DELETE_MEMORY_TOPIC, memory),
    createMemoryTool(MEMORY_SEARCH, memory),
  ];
}

async function searchOf({ store }: MemoryToolsInput): Promise<MemorySearch> {
  const { createStoreSearch } = await import("@caliban/memory/search");
  return createStoreSearch(store);
}

/** What is remembered of what the model looks for, best first: topics, what was learned, and what was said in past sessions. */
export const MEMORY_SEARCH: MemoryToolDefinition<"MemorySearch"> = {
  name: "MemorySearch",
  description:
    "Finds what is remembered, by words or a question: topics, also those your index does not show, and past sessions of this project.",
  permission: "memory.search",
  isReadOnly: true,
  execute: async (input, _context, memory) => {
    // What searches is loaded with the first search.
    const { searchMemory } = await import("./search-memory.ts");
    return await searchMemory(input, memory);
  },
};

import type { MemoryToolRow } from "./memory-tool.ts";

/** What is remembered of what the model looks for, best first: topics, what was learned, and what was said in past sessions. */
export const MEMORY_SEARCH: MemoryToolRow<"MemorySearch"> = {
  name: "MemorySearch",
  description:
    "Finds what is remembered, by words or a question: topics, also those your index does not show, and past sessions of this project.",
  permission: "memory.search",
  isReadOnly: true,
  act: async (input, _context, memory) => {
    // What searches is loaded with the first search.
    const { searchMemory } = await import("./search-memory.ts");
    return await searchMemory(input, memory);
  },
};

import type { SearchSource } from "@caliban/memory/search";

/** What was learned from past sessions: the sections of its `MEMORY.md`, and its skills. */
export function learnedSource(_directory: string): SearchSource {
  return {
    name: "learned",
    list: async () => [],
    read: async () => undefined,
    show: async () => undefined,
  };
}

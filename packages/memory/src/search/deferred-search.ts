import { once } from "../store/lazy-store.ts";
import type { MemorySearch } from "./results.ts";

/** A search that is opened with its first use: whoever only may search need not wait for it. */
export function lazyMemorySearch(open: () => Promise<MemorySearch>): MemorySearch {
  const opened = once(open);
  return { search: async (request) => await (await opened()).search(request) };
}

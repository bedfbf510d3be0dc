import { once } from "../store/lazy-store.ts";
import type { MemorySearch } from "./results/results.ts";

/** A search that is opened by its first use, so that offering it costs nothing. */
export function lazyMemorySearch(open: () => Promise<MemorySearch>): MemorySearch {
  const opened = once(open);
  return { search: async (request) => await (await opened()).search(request) };
}

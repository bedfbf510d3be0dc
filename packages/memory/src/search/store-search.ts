import type { TopicStore } from "../store/topic-store.ts";
import { createLivingIndex } from "./live-index/live-index.ts";
import { createMemoryFinder } from "./memory-search.ts";
import type { MemorySearch } from "./memory-search-types.ts";
import { storeSource } from "./store-source.ts";

/** A store may be far away, where each read is a wait; more at once are no faster. */
const READS_AT_ONCE = 16;

/** Searches the topics of any store. What was read is kept in memory; later searches read what was changed alone. */
export function createStoreSearch(store: Pick<TopicStore, "list" | "read">): MemorySearch {
  const sources = [storeSource(store)];
  const cache = createLivingIndex({ sources, readsAtOnce: READS_AT_ONCE });
  return createMemoryFinder({ cache, sources });
}

import { checkArguments } from "../check-arguments.ts";
import { once } from "../store/lazy-store.ts";
import type { Embed } from "./engine/embedded-search.ts";
import type { SearchedStore } from "./open-store-search.ts";
import type { MemorySearch } from "./results/results.ts";

export interface StoreSearchOptions {
  /** Embeds texts with your model, so that topics are found by meaning as well. Called again in every process. */
  readonly embed?: Embed | undefined;
}

/**
 * Searches the topics of any store. The search is loaded by the first use, and its index is kept in memory; later
 * searches read only changed topics.
 *
 * @example
 * import { createMapTopicStore, createStoreSearch } from "@caliban/memory";
 *
 * const search = createStoreSearch(createMapTopicStore());
 * const { topics } = await search.search({ query: "feature flags" });
 */
export function createStoreSearch(
  store: SearchedStore,
  options: StoreSearchOptions = {},
): MemorySearch {
  checkArguments("createStoreSearch", store, { list: "function", read: "function" });
  const opened = once(async () => {
    const { openStoreSearch } = await import("./open-store-search.ts");
    return openStoreSearch(store, options);
  });
  return {
    searchesSessions: false,
    search: async (request) => await (await opened()).search(request),
  };
}

import { DEFAULT_SEARCH_LIMIT, type SearchOptions } from "../search-result.ts";
import { type BestOf, createBestOf } from "./best-of.ts";
import { createBestWithVector } from "./best-with-vector.ts";
import type { CollectionView } from "./collection-view.ts";

/** What keeps the best: by words, or by words and a vector. */
export function bestFor(
  view: CollectionView,
  {
    limit = DEFAULT_SEARCH_LIMIT,
    vector,
    isWanted,
  }: SearchOptions & { readonly isWanted: (document: number) => boolean },
): BestOf {
  if (vector === undefined) return createBestOf(limit);
  return createBestWithVector({ view, vector, limit, isWanted });
}

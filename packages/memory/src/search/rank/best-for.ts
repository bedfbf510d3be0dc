import type { SearchOptions } from "../results.ts";
import { type BestOf, createBestOf } from "./best.ts";
import { createBestWithVector } from "./best-with-vector.ts";
import type { CollectionView } from "./collection-view.ts";
import { mostHits } from "./most-hits.ts";

/** What keeps the best: by words, or by words and a vector. */
export function bestFor(
  view: CollectionView,
  { limit, vector, isWanted }: SearchOptions & { readonly isWanted: (document: number) => boolean },
): BestOf {
  if (vector === undefined) return createBestOf(mostHits(limit));
  return createBestWithVector({ view, vector, limit: mostHits(limit), isWanted });
}

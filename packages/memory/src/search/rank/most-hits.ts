import { DEFAULT_SEARCH_LIMIT } from "../results.ts";

/** How many are wanted, whatever a caller says: a whole number that is not below 0, or all of them. */
export function mostHits(limit: number = DEFAULT_SEARCH_LIMIT): number {
  return Number.isNaN(limit) ? DEFAULT_SEARCH_LIMIT : Math.max(0, Math.floor(limit));
}

import { queryTerms } from "./query-terms.ts";

/** A question of a person fits in easily; a file that was pasted in need not be looked for word for word. */
const LONGEST_QUERY = 4_000;
const MOST_TERMS = 64;

/** What is looked for. */
export interface AnalyzedQuery {
  /** Each once, with how often it was named. */
  readonly terms: ReadonlyMap<string, number>;
  /** Whether nothing but words was named that say nothing; they are looked for in names and descriptions then. */
  readonly isOnlyStops: boolean;
  /** Whether there was more than is looked for. */
  readonly isCut: boolean;
}

export function analyzeQuery(query: string): AnalyzedQuery {
  const { terms, stops } = queryTerms(query.slice(0, LONGEST_QUERY));
  const isOnlyStops = terms.size === 0;
  const all = [...(isOnlyStops ? stops : terms)];
  return {
    terms: new Map(all.slice(0, MOST_TERMS)),
    isOnlyStops,
    isCut: query.length > LONGEST_QUERY || all.length > MOST_TERMS,
  };
}

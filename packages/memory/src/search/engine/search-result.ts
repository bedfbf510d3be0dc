import type { StandaloneKind } from "./document.ts";

export interface SearchOptions {
  /** The maximum length of each list; 8 if left out. */
  readonly limit?: number | undefined;
  /** `topics` are documents ranked independently, `sessions` are turns; both if left out. */
  readonly kind?: "topics" | "sessions" | "all" | undefined;
  /** Only documents of this type. Turns have no type, so they are excluded. */
  readonly type?: string | undefined;
  /** Only documents since this time. */
  readonly sinceMs?: number | undefined;
  /** The current time. Later times of documents count as this one; if left out, all times are taken as they are. */
  readonly nowMs?: number | undefined;
  /** The embedding of the query. Its cosine with each document is added to the relative score. */
  readonly vector?: ArrayLike<number> | undefined;
  /** Whether each hit has the parts of its score. */
  readonly why?: boolean | undefined;
}

/**
 * A part of a score: a term of the query; the turns around a turn and its whole session; the embedding; and what a newer
 * hit gets to rank before a similar older one, or before the one that it supersedes.
 */
export type ScorePart =
  | { readonly part: "term"; readonly term: string; readonly score: number }
  | {
      readonly part: "neighbors" | "session" | "vector" | "time" | "supersedes";
      readonly score: number;
    };

export interface SearchResult {
  /** Best first, like the other lists. */
  readonly topics: readonly FoundDocument[];
  readonly turns: readonly FoundTurn[];
  /** Whole sessions. */
  readonly sessions: readonly FoundSession[];
  /** The terms that were searched for: stems and whole identifiers. */
  readonly terms: readonly string[];
  /** Whether the query has only stop words, which are searched for in names, descriptions and tags only. */
  readonly hasOnlyStopWords: boolean;
  /** Whether only the start of the query was searched for. */
  readonly isTruncated: boolean;
}

export interface FoundDocument {
  readonly id: string;
  readonly kind: StandaloneKind;
  readonly type: string | undefined;
  readonly updatedMs: number | undefined;
  readonly score: number;
  /** From 0 to 1: how much of the query the document contains, terms weighted by rarity. */
  readonly coverage: number;
  /** The id of the document that replaces it. That one ranks before it, unless it does not pass the filters. */
  readonly supersededBy?: string | undefined;
  /** They add up to the score. Only if asked for, as for turns. */
  readonly why?: readonly ScorePart[] | undefined;
}

export interface FoundTurn {
  readonly id: string;
  readonly session: string;
  readonly turn: number;
  readonly updatedMs: number | undefined;
  readonly score: number;
  /** The ids of the neighboring turns, if any. */
  readonly previous: string | undefined;
  readonly next: string | undefined;
  readonly why?: readonly ScorePart[] | undefined;
}

interface FoundSession {
  readonly session: string;
  readonly score: number;
}

/** The default length of each list. */
export const DEFAULT_SEARCH_LIMIT = 8;

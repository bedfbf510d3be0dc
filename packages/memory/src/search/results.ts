import type { StandingKind } from "./document.ts";

export interface SearchOptions {
  /** Most of each list; 8 when left out. */
  readonly limit?: number | undefined;
  /** `topics` are documents that stand for themselves, `sessions` are turns; both when left out. */
  readonly kind?: "topics" | "sessions" | "all" | undefined;
  /** Only documents of this type. Turns have none, so that none is found then. */
  readonly type?: string | undefined;
  /** Only documents from this time on. */
  readonly sinceMs?: number | undefined;
  /** What the caller's model makes of the query: its cosine with each document's is added to the share of the best score. */
  readonly vector?: ArrayLike<number> | undefined;
}

export interface SearchResult {
  /** Best first, as the other lists. */
  readonly topics: readonly FoundDocument[];
  readonly turns: readonly FoundTurn[];
  /** Sessions as wholes. */
  readonly sessions: readonly FoundSession[];
  /** What was looked for: stems and whole identifiers. */
  readonly terms: readonly string[];
  /** Whether only words that say nothing were named; these are looked for in names, descriptions and tags alone. */
  readonly isOnlyStops: boolean;
  /** Whether the query was longer than what is looked for. */
  readonly isCut: boolean;
}

export interface FoundDocument {
  readonly id: string;
  readonly kind: StandingKind;
  readonly type: string | undefined;
  readonly updatedMs: number | undefined;
  readonly score: number;
  /** From 0 to 1: how much of what was looked for it holds. A rare term is a larger part of it than a common one. */
  readonly coverage: number;
}

export interface FoundTurn {
  readonly id: string;
  readonly session: string;
  readonly turn: number;
  readonly updatedMs: number | undefined;
  readonly score: number;
  /** The ids of the turns beside it, where there are any. */
  readonly previous: string | undefined;
  readonly next: string | undefined;
}

export interface FoundSession {
  readonly session: string;
  readonly score: number;
}

/** Of each list, when nobody says how many. */
export const DEFAULT_SEARCH_LIMIT = 8;

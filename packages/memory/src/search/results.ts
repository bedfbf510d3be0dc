import type { StandaloneKind } from "./document.ts";

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
  readonly hasOnlyStopWords: boolean;
  /** Whether the query was longer than what is looked for. */
  readonly isTruncated: boolean;
}

export interface FoundDocument {
  readonly id: string;
  readonly kind: StandaloneKind;
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

/** A text and where in it the words stand that were looked for. */
export interface MarkedText {
  readonly text: string;
  /** Beginning and end of each, in UTF-16 units, in order and apart from one another. */
  readonly marks: readonly (readonly [start: number, end: number])[];
}

/** The text with something before and after each mark. */
export function withMarks({ text, marks }: MarkedText, before: string, after: string): string {
  let end = 0;
  let marked = "";
  for (const [start, stop] of marks) {
    marked += text.slice(end, start) + before + text.slice(start, stop) + after;
    end = stop;
  }
  return marked + text.slice(end);
}

/** Finds what is remembered, for a model or a person. */
export interface MemorySearch {
  readonly search: (request: MemorySearchRequest) => Promise<FoundMemory>;
}

export interface MemorySearchRequest {
  readonly query: string;
  /** Most of each list; 8 when left out. */
  readonly limit?: number | undefined;
  /** Both when left out. */
  readonly kind?: SearchedKind | undefined;
  /** Only topics of this type; no sessions then, which have none. */
  readonly type?: string | undefined;
  /** Only what is from this time on. */
  readonly sinceMs?: number | undefined;
}

/** Which of the two lists is wanted. */
export const SEARCHED_KINDS = ["topics", "sessions", "all"] as const;

export type SearchedKind = (typeof SEARCHED_KINDS)[number];

/** Two short lists, each best first, and what there was to look through. */
export interface FoundMemory {
  readonly topics: readonly FoundTopic[];
  readonly sessions: readonly FoundPassage[];
  readonly searched: SearchedCounts;
  /** What was left out or cut, and why: whole sentences. */
  readonly notes: readonly string[];
}

export interface SearchedCounts {
  readonly topics: number;
  readonly sessions: number;
  readonly turns: number;
}

/** A topic, a section of what was learned, or a learned skill. */
export interface FoundTopic {
  readonly kind: StandaloneKind;
  /** The slug of a topic; the heading of a section; the name of a skill. */
  readonly name: string;
  /** What reads the whole of it: `memory://topics/<slug>`, `memory://root/MEMORY.md`, … */
  readonly address: string;
  readonly type: string | undefined;
  readonly description: string;
  readonly updatedMs: number | undefined;
  readonly snippet: MarkedText;
  readonly score: number;
}

/** A piece of a past session: turns that were found, side by side, and one turn before and after them. */
export interface FoundPassage {
  readonly session: string;
  /** Whose session: `caliban`, `claude` or `codex`. */
  readonly agent: string;
  /** What the session is called, or its first words. */
  readonly title: string;
  /** When the best of its turns was said. */
  readonly updatedMs: number | undefined;
  readonly turns: readonly FoundTurnText[];
  readonly score: number;
}

export interface FoundTurnText {
  readonly role: "user" | "assistant";
  /** The best part of it for a turn that was found, the beginning for one beside it. */
  readonly text: MarkedText;
  /** False for a turn that only stands beside one. */
  readonly isHit: boolean;
}

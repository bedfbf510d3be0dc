import type { StandingKind } from "./document.ts";
import type { MarkedText } from "./marked-text.ts";

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
  readonly searched: SearchedAmounts;
  /** What was left out or cut, and why: whole sentences. */
  readonly notes: readonly string[];
}

export interface SearchedAmounts {
  readonly topics: number;
  readonly sessions: number;
  readonly turns: number;
}

/** A topic, a section of what was learned, or a learned skill. */
export interface FoundTopic {
  readonly kind: StandingKind;
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

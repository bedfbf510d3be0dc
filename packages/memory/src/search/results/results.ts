import { checkArguments } from "../../check-arguments.ts";
import type { EvidenceState } from "../../topics/evidence-state.ts";
import type { StandaloneKind } from "../engine/document.ts";

/** A text with the positions of the words that were searched for. */
export interface MarkedText {
  readonly text: string;
  /** Start and end of each, in UTF-16 units, in order and not touching. */
  readonly marks: readonly (readonly [start: number, end: number])[];
}

interface Marking {
  readonly before: string;
  readonly after: string;
  readonly escape?: ((text: string) => string) | undefined;
}

const same = (text: string): string => text;

/** Inserts a text before and after each mark. The pieces are escaped separately, because that may change positions. */
export function withMarks(marked: MarkedText, { before, after, escape = same }: Marking): string {
  checkArguments("withMarks", marked, { text: "string", marks: "list" });
  const { text, marks } = marked;
  let end = 0;
  let line = "";
  for (const [start, stop] of marks) {
    line += `${escape(text.slice(end, start))}${before}${escape(text.slice(start, stop))}${after}`;
    end = stop;
  }
  return line + escape(text.slice(end));
}

/** Searches the memory, for a model or a user. */
export interface MemorySearch {
  readonly search: (request: MemorySearchRequest) => Promise<FoundMemory>;
  /** False if it covers topics only. */
  readonly searchesSessions?: boolean | undefined;
}

export interface MemorySearchRequest {
  readonly query: string;
  /** The maximum length of each list; 8 if left out. */
  readonly limit?: number | undefined;
  /** Both if left out. */
  readonly kind?: SearchedKind | undefined;
  /** Only topics of this type. Sessions have no type, so they are excluded. */
  readonly type?: string | undefined;
  /** Only results since this time. */
  readonly sinceMs?: number | undefined;
  /** Whether each result has the parts of its score. */
  readonly why?: boolean | undefined;
}

/** The lists to search. */
export const SEARCHED_KINDS = ["topics", "sessions", "all"] as const;

export type SearchedKind = (typeof SEARCHED_KINDS)[number];

/** Two short lists, each best first, and how much was searched. */
export interface FoundMemory {
  readonly topics: readonly FoundTopic[];
  readonly sessions: readonly FoundPassage[];
  readonly searched: SearchedCounts;
  /** What was left out or truncated, and why. Each is a full sentence. */
  readonly notes: readonly string[];
}

export interface SearchedCounts {
  readonly topics: number;
  readonly sessions: number;
  readonly turns: number;
}

/** A topic, a section of learned memory, or a learned skill. */
export interface FoundTopic {
  readonly kind: StandaloneKind;
  /** The slug of a topic; the heading of a section; the name of a skill. */
  readonly name: string;
  /** The address of the whole text: `memory://topics/<slug>`, `memory://user/topics/<slug>`, `memory://team/topics/<slug>`, `memory://root/MEMORY.md`, … */
  readonly address: string;
  readonly type: string | undefined;
  readonly description: string;
  /** Who shared a topic of the team. */
  readonly author?: string | undefined;
  readonly updatedMs: number | undefined;
  readonly snippet: MarkedText;
  readonly score: number;
  /** The name of the topic that replaces it, which ranks before it. */
  readonly supersededBy?: string | undefined;
  /** Whether the files that support it still do, if that was checked. */
  readonly evidence?: EvidenceState | undefined;
  /** They add up to the score, apart from rounding. Only if asked for, as for passages. */
  readonly why?: readonly FoundScorePart[] | undefined;
}

/** A part of a score, by what it comes from. */
export interface FoundScorePart {
  /**
   * `term`: a word of the query; `neighbors`: the turns around the best turn; `session`: its whole session; `vector`: the
   * embedding; `time`: newer than a similar result; `supersedes`: it replaces another result.
   */
  readonly part: "term" | "neighbors" | "session" | "vector" | "time" | "supersedes";
  /** For a term: the word as it is in the query. */
  readonly term?: string | undefined;
  /** For a term: the fields that contain it. */
  readonly fields?: readonly ScoreField[] | undefined;
  readonly score: number;
}

export type ScoreField = "name" | "description" | "text" | "tags" | "learned facts";

/** A part of a past session: matching turns in a row, and one turn before and after them. */
export interface FoundPassage {
  readonly session: string;
  /** The agent of the session: `caliban`, `claude` or `codex`. */
  readonly agent: string;
  /** The title of the session, or its first words. */
  readonly title: string;
  /** The time of its best turn. */
  readonly updatedMs: number | undefined;
  readonly turns: readonly FoundTurnText[];
  readonly score: number;
  /** Of its best turn. */
  readonly why?: readonly FoundScorePart[] | undefined;
}

export interface FoundTurnText {
  readonly role: "user" | "assistant";
  /** The best part of a matching turn; the start of a neighboring one. */
  readonly text: MarkedText;
  /** False for a neighboring turn. */
  readonly isHit: boolean;
}

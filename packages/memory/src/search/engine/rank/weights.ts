import type { DocumentKind } from "../document.ts";

/** The BM25 parameters. `k1`: how soon repeating a word stops adding to the score. `b`: how much length is penalized. */
export interface Saturation {
  readonly k1: number;
  readonly b: number;
}

export const SATURATION: Readonly<Record<DocumentKind, Saturation>> = {
  topic: { k1: 1.1, b: 0.65 },
  section: { k1: 1.1, b: 0.65 },
  skill: { k1: 1.1, b: 0.65 },
  turn: { k1: 0.9, b: 0.2 },
  session: { k1: 0.9, b: 0.75 },
};

/** What neighboring turns and the whole session add to the score of a turn, each relative to the best score. */
export const EVIDENCE = {
  /** The turn before, the one before that, and so on: a turn usually answers an earlier one. */
  before: [0.4, 0.3, 0.1, 0.1],
  after: [0.2, 0.1, 0.1, 0.1],
  session: 0.7,
} as const;

/** What the best turn of a session adds to its score: the turn alone, and the turn with its neighbors. */
export const BEST_TURN = { alone: 0.9, withNeighbors: 0.2 } as const;

/** Up to this many matching turns, all turns that get evidence from one of them are candidates; else only the next ones. */
export const MAX_WIDE_MATCHES = 600;

/** How time decides between hits about the same subject. */
export const RECENCY = {
  /** By which share of its own score a newer hit is lifted at most. */
  maxLift: {
    topic: 0.2,
    session: 0.15,
    /** For a session that announces a change: "from now on", "no longer". */
    amendingSession: 0.8,
    /** In addition to the limits of the sessions. */
    turn: 1,
  },
  /** Two hits have the same subject if the newer one has this share of the words of the query that the older one has. */
  sameSubject: 0.7,
  /** And both have this share of the query. */
  minOfQuery: 0.5,
  /** Times that are closer than this are equal: a program may have written several files at once. */
  minGapMs: 60_000,
  /** The same within a session, because turns that follow one another belong together. */
  minGapInSessionMs: 3_600_000,
} as const;

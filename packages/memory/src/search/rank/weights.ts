import type { DocumentKind } from "../document.ts";

/** How much a word counts in each part of a document. Short parts also keep words that say nothing elsewhere. */
export const FIELDS: readonly {
  readonly field: "name" | "description" | "headings" | "tags" | "body" | "facts";
  readonly weight: number;
  readonly isShort: boolean;
}[] = [
  { field: "name", weight: 3, isShort: true },
  { field: "description", weight: 2, isShort: true },
  { field: "tags", weight: 2, isShort: true },
  { field: "headings", weight: 1, isShort: false },
  { field: "body", weight: 1, isShort: false },
  { field: "facts", weight: 1, isShort: false },
];

/** `k1`: how soon more of the same word adds little. `b`: how much a long document has to make up for its length. */
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

/** What the turns around a turn, and its whole session, add to it; each as a share of the best there is. */
export const EVIDENCE = {
  /** Of the turn before it, the one before that, and so on: what is said answers what was said. */
  before: [0.4, 0.3, 0.1, 0.1],
  after: [0.2, 0.1, 0.1, 0.1],
  session: 0.7,
} as const;

/** What the best turn of a session adds to the session. */
export const BEST_TURN = 0.9;

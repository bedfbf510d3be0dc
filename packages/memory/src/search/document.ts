/** What a document is: it decides how much its length counts, and in which of the two lists it is found. */
export type DocumentKind = "topic" | "section" | "skill" | "turn" | "session";

/** One thing that can be found. Every part is optional but the id; a part that tells more counts for more. */
export interface SearchDocument {
  /** Names the document among all of an index; a second one with the same id takes the place of the first. */
  readonly id: string;
  /** `topic` when left out. */
  readonly kind?: DocumentKind | undefined;
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly headings?: string | undefined;
  readonly tags?: string | undefined;
  readonly body?: string | undefined;
  /** For a turn: what was learned from it. A key beside its own words, never in place of them. */
  readonly facts?: string | undefined;
  /** What `type` of a search is held against. */
  readonly type?: string | undefined;
  /** What `since` of a search is held against; a document without a time is as old as can be. */
  readonly updatedMs?: number | undefined;
  /** For `turn` and `session`: which session. */
  readonly session?: string | undefined;
  /** For `turn`: its place among the turns of its session. */
  readonly turn?: number | undefined;
  /** What a model of the caller's makes of the text; for searches with a vector. */
  readonly vector?: ArrayLike<number> | undefined;
}

/** Those that are ranked each for itself. The others are ranked with what stands around them. */
export type StandaloneKind = Exclude<DocumentKind, "turn" | "session">;

export function isSessionKind(kind: DocumentKind): kind is "turn" | "session" {
  return kind === "turn" || kind === "session";
}

/** Decides how much the length of a document counts, and which of the two lists it appears in. */
export type DocumentKind = "topic" | "section" | "skill" | "turn" | "session";

/** A document to search. Only the id is required; more significant fields have a higher weight. */
export interface SearchDocument {
  /** Unique in an index; another document with the same id replaces this one. */
  readonly id: string;
  /** `topic` if left out. */
  readonly kind?: DocumentKind | undefined;
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly headings?: string | undefined;
  readonly tags?: string | undefined;
  readonly body?: string | undefined;
  /** For a turn: what was learned from it. Searched in addition to its text, never instead of it. */
  readonly facts?: string | undefined;
  /** Matched by `type` of a search. */
  readonly type?: string | undefined;
  /** Compared with `sinceMs` of a search; a document without a time counts as infinitely old. */
  readonly updatedMs?: number | undefined;
  /** For a document that is ranked independently: the ids of older ones that it replaces. */
  readonly supersedes?: readonly string[] | undefined;
  /** For `turn` and `session`: the id of the session. */
  readonly session?: string | undefined;
  /** For `turn`: its position in the session. */
  readonly turn?: number | undefined;
  /** The embedding of the text, for searches with a vector. */
  readonly vector?: ArrayLike<number> | undefined;
}

/** Kinds that are ranked independently. Turns are ranked together with their neighbors and session. */
export type StandaloneKind = Exclude<DocumentKind, "turn" | "session">;

export function isSessionKind(kind: DocumentKind): kind is "turn" | "session" {
  return kind === "turn" || kind === "session";
}

import type { TeamAuthor } from "./author.ts";

/** What was done to a topic. */
export type TopicAction = "share" | "edit" | "unshare";

export interface TopicChange {
  readonly slug: string;
  readonly action: TopicAction;
}

/** A topic that the team shares and this user trusts. */
export interface SharedTopic {
  readonly slug: string;
  /** The whole file. */
  readonly text: string;
  /** Who changed it last. */
  readonly author: TeamAuthor;
  /** When it was last changed, in ISO 8601. */
  readonly at: string;
  /** Whether a change of this user has not been sent yet. */
  readonly isPending: boolean;
}

/** A change by authors who are not approved. No prompt shows it before the user accepts it. */
export interface WaitingChange extends TopicChange {
  /** Identifies exactly this change. Pass it to `accept` or `reject`. */
  readonly version: string;
  /** `undefined` for a removal. */
  readonly text: string | undefined;
  /** What the user has now; `undefined` for a new topic. */
  readonly before: string | undefined;
  /** Everyone whose unapproved changes are in the text. */
  readonly authors: readonly TeamAuthor[];
  readonly at: string;
}

/** A change of this user that contradicts one of the team. The shared text stays. */
export interface TeamConflict {
  /** Pass it to `settle` after the user's text is saved elsewhere. */
  readonly id: string;
  readonly slug: string;
  /** What the user wanted; `undefined` for a removal. */
  readonly mine: string | undefined;
  /** What the team has; `undefined` if the team removed the topic. */
  readonly theirs: string | undefined;
  /** What both started from; `undefined` if there was no topic. */
  readonly base: string | undefined;
  readonly at: string;
}

/** Something in the shared memory that is not used, and why. */
export interface RefusedEntry {
  readonly path: string;
  readonly code: RefusalCode;
  readonly message: string;
}

export type RefusalCode =
  /** A link, a submodule, a directory, or an executable file. */
  | "NOT_A_FILE"
  | "INVALID_NAME"
  /** Its name differs from another one in case only. */
  | "DUPLICATE_NAME"
  | "TOO_LARGE"
  | "NOT_TEXT"
  | "INVALID_TOPIC"
  | "SECRET_FOUND"
  | "UNKNOWN_ENTRY";

/** A change of the history. */
export interface TeamLogEntry {
  readonly id: string;
  readonly at: string;
  readonly author: TeamAuthor;
  readonly changes: readonly TopicChange[];
}

import type { RefusedEntry, TeamConflict, TopicChange, WaitingChange } from "./changes.ts";

export type SyncResult =
  | SyncedResult
  /** The remote cannot be reached. Changes wait until the next sync. */
  | { readonly kind: "offline"; readonly message: string }
  /** The remote refuses this user, or cannot be used without asking for a password. */
  | { readonly kind: "denied"; readonly message: string }
  /** The remote no longer has the history that was seen before. Nothing was taken over. */
  | {
      readonly kind: "rewritten";
      readonly before: string;
      /** `undefined` if the shared memory was deleted. */
      readonly after: string | undefined;
    }
  /** What the remote has is not used at all. What was received before stays. */
  | { readonly kind: "unusable"; readonly code: UnusableCode; readonly message: string }
  /** Others changed the shared memory again and again. Changes wait until the next sync. */
  | { readonly kind: "contended" };

export type UnusableCode =
  /** The ref is not a commit with a tree of topics. */
  | "NOT_TEAM_MEMORY"
  | "NEWER_FORMAT"
  | "TOO_MANY_TOPICS"
  | "TOO_LARGE"
  /** git refuses the objects. */
  | "DAMAGED_OBJECTS";

export interface SyncedResult {
  readonly kind: "synced";
  /** The commit that the remote and this clone have; `undefined` while nothing is shared. */
  readonly head: string | undefined;
  /** Changes by others that are in use now. */
  readonly received: readonly TopicChange[];
  /** Changes of this user that were sent. */
  readonly sent: readonly TopicChange[];
  /** All that are not settled, also older ones. */
  readonly conflicts: readonly TeamConflict[];
  /** All that wait for the user, also older ones. */
  readonly waiting: readonly WaitingChange[];
  /** Everything in the shared memory that is not used. */
  readonly refused: readonly RefusedEntry[];
  /** Changes of this user that could not be sent, and why. */
  readonly unsent: readonly UnsentChange[];
}

export interface UnsentChange extends TopicChange {
  readonly code: "SECRET_FOUND" | "INVALID_TOPIC" | "CANNOT_SIGN" | "NO_IDENTITY";
  readonly message: string;
}

export interface TeamStatus {
  readonly remote: string;
  readonly head: string | undefined;
  /** When the remote was last reached, in ISO 8601. */
  readonly syncedAt: string | undefined;
  /** How many topics the team shares, and how many of them this user trusts. */
  readonly sharedTopics: number;
  readonly usedTopics: number;
  /** Changes that were not sent yet. */
  readonly pending: readonly TopicChange[];
  readonly conflicts: readonly TeamConflict[];
  readonly waiting: readonly WaitingChange[];
  readonly refused: readonly RefusedEntry[];
  /** The keys that the user approved. */
  readonly approvedKeys: readonly string[];
}

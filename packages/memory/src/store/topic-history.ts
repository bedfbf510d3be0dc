import type { Change, FileChange } from "../history/change.ts";
import type { Author } from "./topic-store.ts";

/** The history of the topics, and how to go back. */
export interface TopicHistory {
  /** All changes, newest first; only those of one topic if a name is given. */
  readonly log: (name?: string) => Promise<readonly Change[]>;
  /**
   * Restores the state before a change.
   * @throws MemoryError `NOTHING_TO_UNDO`, `CHANGED_SINCE` or `SECRET_FOUND`
   */
  readonly undo: (input: UndoInput) => Promise<UndoneChange>;
  /**
   * Erases all texts of a topic from the history for good, and every name in the history that contains a secret; returns how
   * many changes had one. With the id of a change, only the text that this change wrote, there and in the change after it.
   */
  readonly erase: (name: string, change?: string) => Promise<number>;
}

export interface UndoInput {
  /** The id of a change, or the start of one. Without it, the last change that was not undone. */
  readonly id?: string | undefined;
  /** Undoes the change even if the topic changed since then. */
  readonly force?: boolean;
  readonly allowSecrets?: boolean;
  readonly author: Author;
}

export interface UndoneChange {
  readonly undone: Change;
  readonly files: readonly FileChange[];
  /** The id of the undo, which can be undone as well. */
  readonly change: string;
}

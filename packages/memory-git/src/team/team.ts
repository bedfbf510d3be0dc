import type { StopSignal } from "@caliban/common";
import type { TeamAuthor } from "./author.ts";
import type { SharedTopic, TeamLogEntry } from "./changes.ts";
import type { SyncResult, TeamStatus } from "./sync-result.ts";

/** The memory that a team shares through a git remote. */
export interface Team {
  /**
   * Names the remote. Contacts no server: the first `sync` does.
   * @throws TeamError `INVALID_REMOTE` or `ALREADY_JOINED`
   */
  readonly init: (remote: string) => Promise<void>;
  /** `undefined` if there is no team memory here. Runs no git. */
  readonly status: () => Promise<TeamStatus | undefined>;
  /** The topics to use: those of approved authors, and this user's. Runs no git. Empty without a team memory. */
  readonly topics: () => Promise<readonly SharedTopic[]>;
  /** Fetches, merges and pushes. */
  readonly sync: (input?: SyncInput) => Promise<SyncResult>;
  /**
   * Shares a topic, or a new text of one. It is on disk before this returns, and sent by the next sync.
   * @throws TeamError `INVALID_TOPIC` or `SECRET_FOUND`
   */
  readonly share: (topic: TopicFile) => Promise<void>;
  /**
   * Removes a topic for everyone with the next sync. The history keeps its text.
   * @throws TeamError `UNKNOWN_TOPIC`
   */
  readonly unshare: (slug: string) => Promise<void>;
  /** The changes that this clone has, newest first. */
  readonly log: (input?: LogInput) => Promise<readonly TeamLogEntry[]>;
  /** Uses a waiting change. @throws TeamError `CHANGED_MEANWHILE` */
  readonly accept: (version: string) => Promise<void>;
  /** Forgets a waiting change. The topic stays as it is here, until it is changed again. @throws TeamError `CHANGED_MEANWHILE` */
  readonly reject: (version: string) => Promise<void>;
  /** Trusts every change that this key signs, waiting ones included. @throws TeamError `UNKNOWN_AUTHOR` */
  readonly approve: (key: string) => Promise<TeamAuthor>;
  /** Later changes by this key wait again. */
  readonly revoke: (key: string) => Promise<void>;
  /** Forgets a conflict, after the user's text was saved elsewhere. */
  readonly settle: (conflictId: string) => Promise<void>;
  /** Continues with a history that the remote has replaced: `after` of the sync result. */
  readonly acceptRewrite: (after: string | undefined) => Promise<void>;
  /**
   * Deletes the local copy. The remote keeps everything.
   * @throws TeamError `NOT_SENT` if changes were not sent, unless `force` is set
   */
  readonly leave: (input?: { readonly force?: boolean }) => Promise<void>;
}

export interface SyncInput {
  /** Lets git and ssh ask for passwords on the terminal. */
  readonly interactive?: boolean | undefined;
  readonly signal?: StopSignal | undefined;
}

export interface TopicFile {
  readonly slug: string;
  /** The whole file. */
  readonly text: string;
}

export interface LogInput {
  readonly slug?: string | undefined;
  readonly limit?: number | undefined;
}

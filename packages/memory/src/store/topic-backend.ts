import type { Change } from "../history/change.ts";

/**
 * Where a store keeps its texts: files, a map, a database. A backend knows nothing about topics; `createTopicStore` adds
 * everything else. Every implementation passes `topicBackendCases` in `@caliban/memory/testing`.
 *
 * A backend keeps *entries*: the exact text of each topic under its name, and the index as `MEMORY.md`. Every entry has a
 * version, an opaque string that is another one whenever the text is.
 */
export interface TopicBackend {
  /** All entries in the order of their names (by code point), one page at a time. */
  readonly list: (request: ListRequest) => Promise<ListedPage>;
  /** The entries with exactly these names, in any order. Missing ones are left out. */
  readonly read: (names: readonly string[]) => Promise<readonly (BackendEntry | UnreadableEntry)[]>;
  /** Carries out all changes and adds the record to the history; or does nothing if an expected version is not current. */
  readonly commit: (request: CommitRequest) => Promise<CommitResult>;
  /** The recorded changes, newest first, one page at a time. */
  readonly history: (request: HistoryRequest) => Promise<HistoryPage>;
  /** Calls a function after every change by anyone, until the returned function is called. */
  readonly watch?: (onChange: () => void) => Promise<() => Promise<void>>;
}

export interface ListRequest {
  /** Only names after this one; from the first if left out. */
  readonly after?: string | undefined;
  /** At most this many entries. */
  readonly limit: number;
}

export interface ListedPage {
  readonly entries: readonly ListedEntry[];
  /** Whether there are entries after this page. */
  readonly hasMore: boolean;
}

/** An entry without its whole text. */
export interface ListedEntry {
  readonly name: string;
  readonly version: string;
  /** The start of the text, of any length; 2,000 characters contain nearly every header. If they do not, `read` follows. */
  readonly head: string;
  /** The size of the whole text as UTF-8. */
  readonly bytes: number;
  /** Milliseconds since 1970. */
  readonly modifiedMs: number;
}

export interface BackendEntry {
  readonly name: string;
  readonly version: string;
  readonly text: string;
  readonly modifiedMs: number;
}

/** An entry that exists and cannot be used, such as a file that is not UTF-8. */
export interface UnreadableEntry {
  readonly name: string;
  /** What is wrong and what to do, for users. */
  readonly problem: string;
}

/** Changes that take effect together. */
export interface CommitRequest {
  /** At most one for each name. */
  readonly changes: readonly EntryChange[];
  /** Added to the history together with the changes, which its `files` describe; a change of the index alone has none. */
  readonly record?: Change | undefined;
  /** Replaces records that have the same id and time, so that their texts are gone for good. */
  readonly rewritten?: readonly Change[] | undefined;
}

export interface EntryChange {
  readonly name: string;
  /** The version that the writer has seen; `null` if there must be no such entry. */
  readonly expected: string | null;
  /** `null` removes the entry. */
  readonly text: string | null;
}

export type CommitResult =
  | {
      readonly kind: "committed";
      /** The new version of every entry that was written. */
      readonly versions: ReadonlyMap<string, string>;
    }
  /** The names whose version is not the expected one. Nothing was changed. */
  | { readonly kind: "conflict"; readonly names: readonly string[] };

export interface HistoryRequest {
  /** Where the page before ended: its `next`. */
  readonly cursor?: string | undefined;
  /** How many changes are wanted. A backend may return more. */
  readonly limit: number;
}

export interface HistoryPage {
  readonly changes: readonly Change[];
  /** `undefined` on the last page. */
  readonly next?: string | undefined;
}

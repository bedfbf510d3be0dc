import type { SearchDocument } from "./document.ts";
import type { FoundPassage, FoundTopic, FoundTurnText } from "./results.ts";

/**
 * Files that are searched: topics, what was learned, sessions. A cache asks it what is there, and for the documents of those
 * files alone that it does not know yet.
 */
export interface SearchSource {
  /** Among all sources of a cache. A part of every id, so without a colon. */
  readonly name: string;
  /** What is there now. One that cannot be looked at takes none of the others down. */
  readonly list: () => Promise<readonly SourceEntry[]>;
  /** The documents of a file; `undefined` when it is gone by now. Never throws for what a file holds. */
  readonly read: (
    entry: SourceEntry,
    before: PreviousRead | undefined,
  ) => Promise<ReadEntry | undefined>;
  /** What is to be shown of a document that was found; `undefined` when it is gone by now. */
  readonly show: (id: string) => Promise<ShownDocument | undefined>;
}

/** A document as it is now, with its texts: an index keeps none. */
export type ShownDocument =
  | (Pick<FoundTopic, "kind" | "name" | "address" | "type" | "description"> & {
      readonly text: string;
    })
  | (Pick<FoundPassage, "agent" | "title"> &
      Pick<FoundTurnText, "role"> & { readonly kind: "turn"; readonly text: string });

/** A file, and what tells whether it was changed. */
export interface SourceEntry {
  /** Among all files of the source: a slug, a session's id. */
  readonly key: string;
  /** Changes whenever the file does: time, size and inode, and whatever else its documents depend on. */
  readonly fingerprint: string;
}

/** How a file was when it was last read. */
export interface PreviousRead {
  readonly fingerprint: string;
  /** What the source said then that it wants to be told again: how far it came, for one. */
  readonly cursor: string;
}

export interface ReadEntry {
  /** `add` leaves what the file had; `replace` takes its place. Ids begin with `<source>:<key>` and end or go on with `#`. */
  readonly change: "add" | "replace";
  readonly documents: readonly SearchDocument[];
  /** For `ReadBefore`. */
  readonly cursor: string;
  /** What was left out, as a sentence; none when left out. */
  readonly problem?: string | undefined;
}

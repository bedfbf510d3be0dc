import type { SessionMessage } from "@caliban/sessions";

/** Where past sessions of one project come from. Nothing of it is ever changed. */
export interface SessionSource {
  /** `caliban`, `claude`, `codex`, or a name of one's own. */
  readonly name: string;
  /** Whether a file that is gone was removed by the person, so that what was learned from it is to go as well. */
  readonly forgetsRemoved: boolean;
  /** The files with nothing read of them. */
  readonly list: () => Promise<SourceListing>;
  /** Looks at the beginning of a file. Called when a file is new or changed. */
  readonly identify: (file: SourceFile) => Promise<IdentifiedFile>;
  /** What was said in it, one message in memory at a time; damaged parts are left out. */
  readonly messages: (file: SourceFile) => AsyncIterable<SessionMessage>;
}

export interface SourceFile {
  readonly path: string;
  /** In whole milliseconds. */
  readonly mtimeMs: number;
  readonly size: number;
}

export interface SourceListing {
  readonly files: readonly SourceFile[];
  /** False where something could not be read: what is missing then may still be there. */
  readonly isComplete: boolean;
  /** One sentence each. */
  readonly problems: readonly string[];
}

export type IdentifiedFile =
  /** `id` is unique over all sources: letters, digits and `-`, at most 100 characters. */
  | { readonly kind: "session"; readonly id: string }
  /** The person wants it kept out. */
  | { readonly kind: "opted-out"; readonly id: string }
  | { readonly kind: "other-project" }
  | { readonly kind: "unreadable"; readonly sentence: string };

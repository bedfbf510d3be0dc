import type { SessionMessage } from "@caliban/sessions";
import type { PipelineNotice } from "../run/notice.ts";

/** Where past sessions of one project come from. Read-only. */
export interface SessionSource {
  /** `caliban`, `claude`, `codex`, or a custom name. */
  readonly name: string;
  /** Whether only the user removes files, so that what was learned from a missing one is to be forgotten. */
  readonly forgetsRemoved: boolean;
  /** Lists the files without reading them. */
  readonly list: () => Promise<SourceListing>;
  /** Reads the beginning of a file. Called for new and changed files. */
  readonly identify: (file: SourceFile) => Promise<IdentifiedFile>;
  /** The messages of a session, one in memory at a time; damaged parts are skipped. */
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
  /** False when something could not be read: a missing file may then still exist. */
  readonly isComplete: boolean;
  readonly notices: readonly PipelineNotice[];
}

export type IdentifiedFile =
  /** `id` is unique across all sources: letters, digits and `-`, at most 100 characters. */
  | { readonly kind: "session"; readonly id: string }
  /** The user excluded it from learning. */
  | { readonly kind: "opted-out"; readonly id: string }
  | { readonly kind: "other-project" }
  | { readonly kind: "unreadable"; readonly message: string };

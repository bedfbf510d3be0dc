import type { StreamedTurn } from "@caliban/sessions";

/**
 * Files that a search index is built from. It fits the `SearchSource` of `@caliban/memory/search`, which this package
 * does not import.
 */
export interface DocumentSource {
  readonly name: string;
  readonly list: () => Promise<readonly SourceEntry[]>;
  /** The documents of a file; `undefined` when it no longer exists. Never throws because of a file's content. */
  readonly read: (
    entry: SourceEntry,
    before: PreviousRead | undefined,
  ) => Promise<ReadEntry | undefined>;
  /** The text to show for a document that was found; `undefined` when it no longer exists. */
  readonly show: (id: string) => Promise<ShownDocument | undefined>;
  /** What was said in a turn, as it is; `undefined` when it no longer exists. Only sessions have turns. */
  readonly quote?: (id: string) => Promise<QuotedTurn | undefined>;
}

export interface SourceEntry {
  readonly key: string;
  /** Changes whenever the file's documents may have changed. */
  readonly fingerprint: string;
}

export interface PreviousRead {
  readonly fingerprint: string;
  readonly cursor: string;
}

export interface ReadEntry {
  readonly change: "add" | "replace";
  readonly documents: readonly IndexedDocument[];
  /** Handed back with the next read of the file. */
  readonly cursor: string;
  /** What was left out, and why. */
  readonly problem?: string | undefined;
}

export interface IndexedDocument {
  readonly id: string;
  readonly kind: "section" | "skill" | "turn" | "session";
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly body: string;
  readonly facts?: string | undefined;
  readonly updatedMs: number;
  readonly session?: string | undefined;
  readonly turn?: number | undefined;
  /** Who said a turn, and whether the agent may repeat what a tool returned. */
  readonly said?: Pick<StreamedTurn, "role" | "isTainted" | "touched"> | undefined;
}

export type ShownDocument = ShownText | ShownTurn;

export interface ShownText {
  readonly kind: "section" | "skill";
  readonly name: string;
  readonly address: string;
  readonly type: undefined;
  readonly description: string;
  readonly text: string;
}

export interface ShownTurn {
  readonly kind: "turn";
  readonly agent: "caliban" | "claude" | "codex";
  readonly title: string;
  readonly role: "user" | "assistant";
  readonly text: string;
}

/** Not redacted. */
export type QuotedTurn = Pick<ShownTurn, "agent" | "role" | "text">;

/** Splits a text into the terms that the index knows, so that facts are compared as a search would compare them. */
export type SearchTerms = (text: string) => readonly string[];

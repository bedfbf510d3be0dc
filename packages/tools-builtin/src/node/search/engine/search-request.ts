import type { CancelSignal } from "@caliban/agent-core";

/** What is searched for, and where. */
export interface SearchRequest {
  readonly pattern: string;
  readonly ignoreCase: boolean;
  /** A real path. */
  readonly target: string;
  readonly isDirectory: boolean;
  /** Directory whose ignore files count first, down to the target. */
  readonly top: string;
  /** Whether names that differ in case are one, as Windows and macOS have it. */
  readonly ignoreNameCase: boolean;
  /** Whether a file counts, by its path relative to the target, with `/`. */
  readonly includes: (name: string) => boolean;
  /** Hears of lines of ignore files that are not followed. */
  readonly onSkippedRules?: ((lines: number) => void) | undefined;
  readonly contextLines: number;
  /** Most matches that are kept of one file. */
  readonly maxMatches: number;
  readonly timeoutMs: number;
  readonly signal?: CancelSignal | undefined;
}

/** A line of a file, matched or beside a match. */
export interface FoundLine {
  readonly number: number;
  readonly text: string;
  readonly isMatch: boolean;
}

/** A file with matches in it. */
export interface FoundFile {
  /** Relative to the target, with `/`; empty for the target itself. */
  readonly name: string;
  /** All of its lines that match, also those that are not kept. */
  readonly matches: number;
  readonly lines: readonly FoundLine[];
}

/** How a search ended. */
export type SearchEnd =
  | { readonly kind: "done" | "enough" | "time-limit" | "interrupted" }
  | { readonly kind: "failed"; readonly message: string };

/** Hands over files with matches in the order of their paths, until it is told that there are enough. */
export type SearchEngine = (
  request: SearchRequest,
  onFile: (file: FoundFile) => "more" | "enough",
) => Promise<SearchEnd>;

/** Most characters of a line that are kept. */
export const MAX_LINE_CHARACTERS = 500;
/** Larger files are not searched. */
export const MAX_FILE_BYTES: number = 16 * 1024 * 1024;
/** Directories that are never searched unless they are named. */
export const SKIPPED_DIRECTORIES: readonly string[] = [".git", "node_modules"];

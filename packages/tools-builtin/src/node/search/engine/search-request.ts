import type { CancelSignal } from "@caliban/agent-core";

/** A search: the expression, the target and the limits. */
export interface SearchRequest {
  readonly pattern: string;
  readonly ignoreCase: boolean;
  /** A real path. */
  readonly target: string;
  readonly isDirectory: boolean;
  /** The directory with the outermost ignore files that apply. */
  readonly top: string;
  /** Whether names that differ only in case are the same, as on Windows and macOS. */
  readonly ignoreNameCase: boolean;
  /** Whether to search a file, by its path relative to the target, with `/`. */
  readonly includes: (name: string) => boolean;
  /** Called with the number of lines in an ignore file that are skipped. */
  readonly onSkippedRules?: ((lines: number) => void) | undefined;
  readonly contextLines: number;
  /** The maximum number of matches that are kept per file. */
  readonly maxMatches: number;
  readonly timeoutMs: number;
  readonly signal?: CancelSignal | undefined;
}

/** A line of a file: a match or its context. */
export interface FoundLine {
  readonly number: number;
  readonly text: string;
  readonly isMatch: boolean;
}

/** A file with matches. */
export interface FoundFile {
  /** Relative to the target, with `/`. Empty for the target itself. */
  readonly name: string;
  /** Counts all matching lines, including those that are not kept. */
  readonly matches: number;
  readonly lines: readonly FoundLine[];
}

/** The outcome of a search. */
export type SearchEnd =
  | { readonly kind: "done" | "enough" | "time-limit" | "interrupted" }
  | { readonly kind: "failed"; readonly message: string };

/** Passes on files with matches in the order of their paths, until the callback returns `enough`. */
export type SearchEngine = (
  request: SearchRequest,
  onFile: (file: FoundFile) => "more" | "enough",
) => Promise<SearchEnd>;

/** The maximum number of characters that are kept per line. */
export const MAX_LINE_CHARACTERS = 500;
/** Larger files are not searched. */
export const MAX_FILE_BYTES: number = 16 * 1024 * 1024;

export type SessionDiagnosticCode =
  | "TORN_LINE"
  | "DAMAGED_LINE"
  | "LINE_TOO_LONG"
  | "UNKNOWN_RECORD"
  | "UNKNOWN_PART"
  | "NEWER_FORMAT"
  | "NO_START"
  | "STRAY_RESULT"
  | "REPEATED_CALL"
  | "UNFINISHED_CALL"
  | "FILE_UNREADABLE";

/** Something in a session file that was left out or mended. `code` is stable; `sentence` is for people. */
export interface SessionDiagnostic {
  readonly code: SessionDiagnosticCode;
  /** Counts from 1. */
  readonly line?: number | undefined;
  readonly sentence: string;
}

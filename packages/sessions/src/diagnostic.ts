import type { Diagnostic } from "@caliban/common";

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
  | "LOST_REWIND"
  | "FILE_UNREADABLE";

/** Something in a session file that was skipped or repaired. */
export type SessionDiagnostic = Diagnostic<SessionDiagnosticCode>;

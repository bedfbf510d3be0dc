/** Why a text is no skill. */
export type SkillProblemCode =
  | "NOT_TEXT"
  | "BROKEN_HEADER"
  | "INVALID_NAME"
  | "INVALID_DESCRIPTION"
  | "INVALID_FIELD"
  | "EMPTY_BODY"
  | "TOO_LARGE";

/** Why a skill is not among the loaded ones, or not as it was written. */
export type SkillDiagnosticCode =
  | SkillProblemCode
  | "DIRECTORY_UNREADABLE"
  | "TOO_MANY_DIRECTORIES"
  | "OUTSIDE"
  | "NOT_A_FILE"
  | "UNREADABLE"
  | "INVALID_UTF8"
  | "SHADOWED"
  | "BUNDLED_NAME";

/** One thing to tell a person about one file or directory; the sentence is harmless on a terminal. */
export interface SkillDiagnostic {
  readonly code: SkillDiagnosticCode;
  readonly path: string;
  readonly sentence: string;
  /** Counts from 1. */
  readonly line?: number;
}

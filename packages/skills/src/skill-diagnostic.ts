import type { Diagnostic } from "@caliban/common";

/** Why a text is not a valid skill. */
export type SkillProblemCode =
  | "NOT_TEXT"
  | "BROKEN_HEADER"
  | "INVALID_NAME"
  | "INVALID_DESCRIPTION"
  | "INVALID_FIELD"
  | "EMPTY_BODY"
  | "TOO_LARGE";

/** Why a skill was not loaded, or not as written. */
export type SkillDiagnosticCode =
  | SkillProblemCode
  | "DIRECTORY_UNREADABLE"
  | "TOO_MANY_DIRECTORIES"
  | "OUTSIDE"
  | "NOT_A_FILE"
  | "UNREADABLE"
  | "INVALID_UTF8"
  | "NOT_PORTABLE"
  | "SHADOWED"
  | "BUNDLED_NAME";

/** A problem with one file or directory; the message is safe on a terminal. */
export interface SkillDiagnostic extends Diagnostic<SkillDiagnosticCode> {
  readonly path: string;
}

import type { Diagnostic } from "@caliban/common";

export type PipelineNoticeCode =
  /** A directory or file of past sessions cannot be read. */
  | "SOURCE_UNREADABLE"
  /** Some past sessions are not supported, or there are too many. */
  | "SOURCE_SKIPPED"
  /** An environment variable names a directory that cannot be used. */
  | "VARIABLE_IGNORED"
  /** The state database was damaged and replaced. */
  | "STATE_REPLACED"
  /** A model is not available, so another one does its work. */
  | "MODEL_UNAVAILABLE"
  /** The memory was not updated, or the update was discarded. */
  | "NOT_UPDATED"
  /** A new generation finds less than the current one, which stays. */
  | "CANDIDATE_REJECTED"
  /** A generated text was too long. */
  | "TEXT_TRUNCATED"
  /** The user's hand edits were applied again. */
  | "EDITS_KEPT"
  /** A hand edit has no effect where it was made. */
  | "EDIT_IGNORED"
  | "SKILL_KEPT"
  | "SKILL_REMOVED"
  /** A skill, or a file of one, is not acceptable. */
  | "SKILL_REJECTED"
  /** A statement that waits for the user could not be stored. */
  | "STATEMENT_LOST"
  | "MORE_NOTICES";

/** Something the user should know about a run that otherwise went well. */
export type PipelineNotice = Diagnostic<PipelineNoticeCode>;

/** A function that receives notices. */
export type OnNotice = (notice: PipelineNotice) => void;

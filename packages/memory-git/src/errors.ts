import { isErrorNamed } from "@caliban/common";

export type TeamErrorCode =
  | "INVALID_ARGUMENT"
  /** This project does not share memory yet. */
  | "NOT_JOINED"
  /** It already shares memory with another remote. */
  | "ALREADY_JOINED"
  /** The address of the remote cannot be used, or would send memory unencrypted. */
  | "INVALID_REMOTE"
  /** The topic is not valid: its name, size or header. */
  | "INVALID_TOPIC"
  | "SECRET_FOUND"
  /** There is no shared topic of this name. */
  | "UNKNOWN_TOPIC"
  /** What waits for a decision is not what the caller saw. */
  | "CHANGED_MEANWHILE"
  /** No key of this author is known. */
  | "UNKNOWN_AUTHOR"
  /** Changes were not sent yet. */
  | "NOT_SENT"
  /** Another process works on this team memory. */
  | "BUSY"
  /** The files of the team memory are damaged, or were written by a newer version. */
  | "DAMAGED"
  /** No usable git. */
  | "GIT_UNAVAILABLE"
  /** git failed in a way that no result describes. */
  | "GIT_FAILED";

/** A failure that the caller must handle. `code` is stable; `message` is for users. */
export class TeamError extends Error {
  override readonly name = "TeamError" as const;
  readonly code: TeamErrorCode;

  constructor(code: TeamErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Whether an error is a TeamError of this copy of the package or of another one. */
export function isTeamError(error: unknown): error is TeamError {
  return isErrorNamed(error, "TeamError") && typeof error.code === "string";
}

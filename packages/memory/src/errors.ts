import { type CommandMessage, isErrorNamed } from "@caliban/common";

export type MemoryErrorCode =
  | "WORKSPACE_NOT_FOUND"
  | "INVALID_ARGUMENT"
  | "INVALID_SETTINGS"
  | "INVALID_ENVIRONMENT"
  | "APPROVALS_DAMAGED"
  | "NOT_APPROVABLE"
  | "NOTHING_TO_ADOPT"
  | "UNWRITABLE"
  | "INVALID_SLUG"
  | "INVALID_TOPIC"
  | "SECRET_FOUND"
  | "WRITE_LIMIT"
  | "REFUSED_FILE"
  | "STORE_BUSY"
  | "NOTHING_TO_UNDO"
  | "CHANGED_SINCE"
  | "CHANGED_MEANWHILE"
  | "NO_MEMORY_DIRECTORY"
  /** Too many proposals wait for the user. */
  | "INBOX_FULL"
  /** An agent writes what the user forgot. */
  | "FORGOTTEN"
  /** Nothing shows which project of a shared store a directory is. */
  | "UNKNOWN_PROJECT"
  /** A backend broke a promise. */
  | "INVALID_BACKEND"
  /** The store cannot be reached, refuses the user, or takes too long. */
  | "STORE_UNAVAILABLE"
  /** The store has a layout that this version cannot use. */
  | "STORE_INCOMPATIBLE";

/** A failure that the caller must handle. `code` is stable; `message` is for users. */
export class MemoryError extends Error {
  override readonly name = "MemoryError" as const;
  readonly code: MemoryErrorCode;
  /** The message in parts, if it names a command. */
  readonly parts: CommandMessage["parts"];

  constructor(code: MemoryErrorCode, message: string | CommandMessage, options?: ErrorOptions) {
    const text: CommandMessage = typeof message === "string" ? { message } : message;
    super(text.message, options);
    this.code = code;
    this.parts = text.parts;
  }
}

/** Whether an error is a MemoryError of this copy of the package or of another one. */
export function isMemoryError(error: unknown): error is MemoryError {
  return isErrorNamed(error, "MemoryError") && typeof error.code === "string";
}

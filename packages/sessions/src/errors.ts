import { type CommandMessage, isErrorNamed } from "@caliban/common";

export type SessionsErrorCode =
  | "INVALID_ID"
  | "INVALID_NAME"
  | "NOT_FOUND"
  | "AMBIGUOUS"
  | "IN_USE"
  | "UNREADABLE"
  | "UNWRITABLE";

/** A failure that the caller must handle. The code is stable; the message is for users. */
export class SessionsError extends Error {
  override readonly name = "SessionsError" as const;
  readonly code: SessionsErrorCode;
  /** The message in parts, if it names a command. */
  readonly parts: CommandMessage["parts"];

  constructor(code: SessionsErrorCode, message: string | CommandMessage, options?: ErrorOptions) {
    const text: CommandMessage = typeof message === "string" ? { message } : message;
    super(text.message, options);
    this.code = code;
    this.parts = text.parts;
  }
}

/** Whether an error is a SessionsError of this copy of the package or of another one. */
export function isSessionsError(error: unknown): error is SessionsError {
  return isErrorNamed(error, "SessionsError") && typeof error.code === "string";
}

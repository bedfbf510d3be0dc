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

  constructor(code: SessionsErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Why memory cannot be served. */
export type ServeErrorCode = "NO_STATE_DIRECTORY" | "PORT_UNAVAILABLE" | "TOKEN_FILE_REFUSED";

/** A problem that the user can fix. The message names the remedy. */
export class ServeError extends Error {
  override readonly name = "ServeError" as const;
  readonly code: ServeErrorCode;

  constructor(code: ServeErrorCode, message: string, options: { readonly cause?: unknown } = {}) {
    super(message, options);
    this.code = code;
  }
}

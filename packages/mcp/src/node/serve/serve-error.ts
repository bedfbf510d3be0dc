import { isErrorNamed } from "@caliban/common";

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

/** Whether an error is a ServeError of this copy of the package or of another one. */
export function isServeError(error: unknown): error is ServeError {
  return isErrorNamed(error, "ServeError") && typeof error.code === "string";
}

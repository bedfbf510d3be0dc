import { isErrorNamed } from "@caliban/common";

/** Why the page cannot be shown. */
export type PageErrorCode = "PORT_UNAVAILABLE" | "CLIENT_NOT_BUILT";

/** A problem that the user can fix. The message names the remedy. */
export class PageError extends Error {
  override readonly name = "PageError" as const;
  readonly code: PageErrorCode;

  constructor(code: PageErrorCode, message: string, options: { readonly cause?: unknown } = {}) {
    super(message, options);
    this.code = code;
  }
}

/** Whether an error is a PageError of this copy of the package or of another one. */
export function isPageError(error: unknown): error is PageError {
  return isErrorNamed(error, "PageError") && typeof error.code === "string";
}

/** What can be wrong with a request besides what Node says itself. */
export type RequestErrorCode =
  /** Nobody answered in time; the name is Node's own, so that everybody takes it for what it is. */
  "ETIMEDOUT" | "REDIRECTED" | "UNSUPPORTED";

/** A request that could not be made or was given up. */
export class RequestError extends Error {
  override readonly name = "RequestError" as const;
  readonly code: RequestErrorCode;

  constructor(code: RequestErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

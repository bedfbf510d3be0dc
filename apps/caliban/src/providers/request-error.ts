/** What can be wrong with a request besides what Node says itself. */
export type RequestErrorCode =
  /** Nobody answered in time; the name is Node's own, so that everybody takes it for what it is. */
  "ETIMEDOUT" | "REDIRECTED" | "TOO_LONG" | "UNSUPPORTED";

/** A request that could not be made or was given up. */
export class RequestError extends Error {
  override readonly name = "RequestError" as const;
  readonly code: RequestErrorCode;
  /** With `TOO_LONG`: how many bytes there may be. */
  readonly limitBytes: number | undefined;

  constructor(code: RequestErrorCode, message: string, limitBytes?: number) {
    super(message);
    this.code = code;
    this.limitBytes = limitBytes;
  }
}

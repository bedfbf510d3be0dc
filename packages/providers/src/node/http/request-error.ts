/** Failures of a request that Node does not report itself. */
export type RequestErrorCode =
  /** A time limit passed; named as Node names it, so that every reader recognizes it. */
  "ETIMEDOUT" | "REDIRECTED" | "TOO_LONG" | "UNSUPPORTED";

/** A request that could not be made or was aborted. */
export class RequestError extends Error {
  override readonly name = "RequestError" as const;
  readonly code: RequestErrorCode;
  /** For `TOO_LONG`: the limit in bytes. */
  readonly limitBytes: number | undefined;

  constructor(code: RequestErrorCode, message: string, limitBytes?: number) {
    super(message);
    this.code = code;
    this.limitBytes = limitBytes;
  }
}

/** Why a server could not do what was asked of it. */
export type ServerFailureCode =
  | "NOT_STARTED"
  | "NO_ANSWER"
  | "ENDED"
  | "CUT_OFF"
  | "REFUSED"
  | "BAD_ANSWER"
  | "INTERRUPTED";

/** A failure of a server, not of ours: the message is a clause for people, harmless on a terminal. */
export class ServerFailure extends Error {
  override readonly name = "ServerFailure";
  readonly code: ServerFailureCode;
  /** What the server itself said about it; as it came. */
  readonly said: string | undefined;

  constructor(
    code: ServerFailureCode,
    message: string,
    options: { readonly cause?: unknown; readonly said?: string | undefined } = {},
  ) {
    super(message, { cause: options.cause });
    this.code = code;
    this.said = options.said;
  }
}

import { isErrorNamed } from "@caliban/common";

/** Why a server could not do what it was asked to do. */
export type ServerFailureCode =
  | "NOT_STARTED"
  | "NO_ANSWER"
  | "ENDED"
  /** Ended when it was asked for the revision of the protocol, as some servers from before 2026-07-28 do. */
  | "ENDED_AT_PROBE"
  | "CUT_OFF"
  | "REFUSED"
  | "BAD_ANSWER"
  | "INTERRUPTED";

/** A failure of a server, not a bug of ours. The message is a clause about the server, safe to print. */
export class ServerFailure extends Error {
  override readonly name = "ServerFailure";
  readonly code: ServerFailureCode;
  /** The server's own message, unsanitized. */
  readonly serverMessage: string | undefined;

  constructor(
    code: ServerFailureCode,
    message: string,
    options: { readonly cause?: unknown; readonly serverMessage?: string | undefined } = {},
  ) {
    super(message, { cause: options.cause });
    this.code = code;
    this.serverMessage = options.serverMessage;
  }
}

/** Whether an error is a ServerFailure of this copy of the package or of another one. */
export function isServerFailure(error: unknown): error is ServerFailure {
  return isErrorNamed(error, "ServerFailure") && typeof error.code === "string";
}

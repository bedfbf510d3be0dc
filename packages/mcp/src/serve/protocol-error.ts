import { isErrorNamed } from "@caliban/common";

/** The error codes of JSON-RPC and of the protocol that this server uses. */
export const PROTOCOL_CODE = {
  parseError: -32_700,
  invalidRequest: -32_600,
  methodNotFound: -32_601,
  invalidParams: -32_602,
  internalError: -32_603,
  resourceNotFound: -32_002,
  /** Denied by a rule of the user's, or memory is off. */
  refused: -32_003,
} as const;

/** An error response. The message is for the model and the user, and contains no path of this machine. */
export class ProtocolError extends Error {
  override readonly name = "ProtocolError" as const;
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/** Whether an error is a ProtocolError of this copy of the package or of another one. */
export function isProtocolError(error: unknown): error is ProtocolError {
  return isErrorNamed(error, "ProtocolError") && typeof error.code === "number";
}

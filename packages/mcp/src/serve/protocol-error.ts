/** The codes of JSON-RPC and of the protocol that are answered here. */
export const PROTOCOL_CODE = {
  parseError: -32_700,
  invalidRequest: -32_600,
  methodNotFound: -32_601,
  invalidParams: -32_602,
  internalError: -32_603,
  resourceNotFound: -32_002,
  /** A rule of the person's, or that there are no notes here. */
  refused: -32_003,
} as const;

/** An answer that is an error of the protocol; the message is for the model and people, without a path of the disk. */
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

/** The reasons why a request fails. The list is closed: programs use the code, people read the message. */
export type ModelFailureCode =
  /** The conversation does not fit into the model's context window. */
  | "overflow"
  /** The API key is missing, wrong or not allowed to do this. */
  | "auth"
  | "rate-limit"
  | "overloaded"
  /** An error on the provider's side (5xx). */
  | "server"
  | "network"
  | "timeout"
  /** The provider rejected the request (4xx). */
  | "bad-request"
  /** The provider does not know the model. */
  | "unknown-model"
  /** The stream ended before the answer was complete. */
  | "cut-stream"
  /** The response does not follow the protocol. */
  | "garbage";

/** A failed request. */
export interface ModelFailure {
  readonly code: ModelFailureCode;
  /** Says what happened and what to do. Contains no keys and is safe to print on a terminal. */
  readonly message: string;
  readonly statusCode?: number | undefined;
  /** Whether sending the request again may help. */
  readonly isTransient: boolean;
  /** The wait that the provider asks for. */
  readonly retryAfterMs?: number | undefined;
}

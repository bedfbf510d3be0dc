/** What went wrong with a request, from a closed list: programs look at the code, people read the sentence. */
export type ModelFailureCode =
  /** The conversation does not fit into the model's window. */
  | "overflow"
  /** No key, a wrong one, or one that may not do this. */
  | "auth"
  | "rate-limit"
  | "overloaded"
  /** The provider's own fault (5xx). */
  | "server"
  | "network"
  | "timeout"
  /** The request was not understood or not accepted (4xx). */
  | "bad-request"
  /** The model's name is not known there. */
  | "unknown-model"
  /** The answer ended in the middle. */
  | "cut-stream"
  /** The answer was not what the protocol says. */
  | "garbage";

/** A failed request in words. */
export interface ModelFailure {
  readonly code: ModelFailureCode;
  /** What happened and what to do, without keys and harmless on a terminal. */
  readonly sentence: string;
  readonly statusCode?: number | undefined;
  /** Whether asking again may help. */
  readonly isTransient: boolean;
  /** How long the provider wants to be left alone. */
  readonly retryAfterMs?: number | undefined;
}

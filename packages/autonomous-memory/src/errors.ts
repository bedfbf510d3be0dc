import type { CompletionUsage } from "./complete.ts";

export type PipelineErrorCode =
  /** The input does not fit into the model's window: a smaller one may. */
  | "OVERFLOW"
  /** The network, a rate limit, the provider's own fault or silence: later it may work. */
  | "TRANSIENT"
  /** No key, a wrong one, or no such model: nothing works until the person does something. */
  | "SETUP"
  /** The answer is of no use, or the model refused. */
  | "PERMANENT"
  /** The state database cannot be opened, or a newer version wrote it. */
  | "STATE_UNUSABLE"
  /** A file of the memory cannot be read or written, or is not what it has to be. */
  | "MEMORY_UNUSABLE"
  | "UNKNOWN_VARIABLE"
  | "MISSING_VARIABLE";

/** A failure the caller must decide about. `code` is stable; `message` is for people. */
export class PipelineError extends Error {
  override readonly name = "PipelineError" as const;
  readonly code: PipelineErrorCode;
  /** How long the provider wants to be left alone. */
  readonly retryAfterMs: number | undefined;
  /** What was spent before it failed; without it, a request that found no answer cost nothing. */
  readonly usage: CompletionUsage | undefined;

  constructor(
    code: PipelineErrorCode,
    message: string,
    options?: ErrorOptions & {
      readonly retryAfterMs?: number | undefined;
      readonly usage?: CompletionUsage | undefined;
    },
  ) {
    super(message, options);
    this.code = code;
    this.retryAfterMs = options?.retryAfterMs;
    this.usage = options?.usage;
  }
}

import { type CommandMessage, isErrorNamed } from "@caliban/common";
import type { CompletionUsage } from "./usage.ts";

export type PipelineErrorCode =
  /** The input does not fit the model's context window; a smaller one may. */
  | "OVERFLOW"
  /** Network, rate limit, provider failure or timeout: it may work later. */
  | "TRANSIENT"
  /** Missing or invalid key, or unknown model: nothing works until the user changes something. */
  | "SETUP"
  /** The answer is unusable, or the model refused. */
  | "PERMANENT"
  /** The state database cannot be opened, or was written by a newer version. */
  | "STATE_UNUSABLE"
  /** A file of the memory cannot be read or written, or is invalid. */
  | "MEMORY_UNUSABLE"
  | "UNKNOWN_VARIABLE"
  | "MISSING_VARIABLE";

/** A failure that the caller must handle. `code` is stable; `message` is for people. */
export class PipelineError extends Error {
  override readonly name = "PipelineError" as const;
  readonly code: PipelineErrorCode;
  /** The message in parts, if it names a command. */
  readonly parts: CommandMessage["parts"];
  /** How long the provider asks to wait. */
  readonly retryAfterMs: number | undefined;
  /** What was spent before the failure; without it, a failed request counts as free. */
  readonly usage: CompletionUsage | undefined;

  constructor(
    code: PipelineErrorCode,
    message: string | CommandMessage,
    options?: ErrorOptions & {
      readonly retryAfterMs?: number | undefined;
      readonly usage?: CompletionUsage | undefined;
    },
  ) {
    const text: CommandMessage = typeof message === "string" ? { message } : message;
    super(text.message, options);
    this.code = code;
    this.parts = text.parts;
    this.retryAfterMs = options?.retryAfterMs;
    this.usage = options?.usage;
  }
}

/** Whether an error is a PipelineError of this copy of the package or of another one. */
export function isPipelineError(error: unknown): error is PipelineError {
  return isErrorNamed(error, "PipelineError") && typeof error.code === "string";
}

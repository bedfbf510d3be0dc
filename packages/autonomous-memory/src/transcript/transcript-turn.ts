/** One message, call or result as text that may leave the machine: without secrets, memory, images and reasoning. */
export interface TranscriptTurn {
  readonly kind: "user" | "assistant" | "call" | "result";
  readonly text: string;
  /** The tool name of a call or result. */
  readonly tool?: string | undefined;
  /** Whether the call of a result failed. */
  readonly isError?: boolean | undefined;
  /** How many turns were omitted right before this one because the session is too long to hold. */
  readonly omittedBefore?: number | undefined;
}

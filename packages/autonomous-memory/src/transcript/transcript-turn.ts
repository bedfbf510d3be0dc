/** One thing that was said or done, as text that may leave the machine: without secrets, memory, images and thinking. */
export interface TranscriptTurn {
  readonly kind: "user" | "assistant" | "call" | "result";
  readonly text: string;
  /** Of a call or a result: the tool's name. */
  readonly tool?: string | undefined;
  /** Of a result: whether the call failed. */
  readonly isError?: boolean | undefined;
  /** How many turns were left out right before this one, because the session is longer than what is held of it. */
  readonly omittedBefore?: number | undefined;
}

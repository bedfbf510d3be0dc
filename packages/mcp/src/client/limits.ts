/** What a server may take of us: time, memory, and room in a prompt. Tests shorten the times. */
export interface ClientLimits {
  /** From the start of a server to its answer to `initialize`. Package runners may load a package first. */
  readonly startMs: number;
  /** For each page of a list. */
  readonly listMs: number;
  /** From the end of its input to SIGTERM, and from there to SIGKILL. */
  readonly closeMs: number;
  readonly terminateMs: number;
  /** Between a word that a list has changed and the question for the new one. */
  readonly changeMs: number;
  /** The longest message that is read whole; images come in them, too. */
  readonly messageBytes: number;
  /** Messages that answer nothing of ours, in so many milliseconds. */
  readonly unsolicitedMessages: number;
  readonly unsolicitedMs: number;
  /** What is read of stderr in a second; the rest waits in the pipe. */
  readonly stderrBytes: number;
}

/** What holds for the program. */
export const CLIENT_LIMITS: ClientLimits = {
  startMs: 30_000,
  listMs: 15_000,
  closeMs: 500,
  terminateMs: 1_000,
  changeMs: 1_000,
  messageBytes: 8 * 1024 * 1024,
  unsolicitedMessages: 2_000,
  unsolicitedMs: 10_000,
  stderrBytes: 256 * 1024,
};

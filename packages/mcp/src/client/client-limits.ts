/** How much time, memory and prompt space a server may use. Tests shorten the times. */
export interface ClientLimits {
  /** From the start of a server to its answer to `initialize`. A package runner may download a package first. */
  readonly startMs: number;
  /** For each page of a list. */
  readonly listMs: number;
  /** From the end of its input to SIGTERM. */
  readonly closeMs: number;
  /** From SIGTERM to SIGKILL. */
  readonly terminateMs: number;
  /** From the notification of a changed list to the request for the new one. */
  readonly changeMs: number;
  /** The largest message that is read. Images arrive inside messages, too. */
  readonly messageBytes: number;
  /** How many messages that answer no request are accepted within `unsolicitedMs`. */
  readonly unsolicitedMessages: number;
  readonly unsolicitedMs: number;
  /** How much of stderr is read per second; the rest waits in the pipe. */
  readonly stderrBytes: number;
}

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

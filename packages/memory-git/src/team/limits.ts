/** What is accepted from a remote. */
export interface TeamLimits {
  readonly maxTopics: number;
  /** Tombstones of removed topics. */
  readonly maxRemoved: number;
  /** How much a fetch may download. */
  readonly maxFetchBytes: number;
  /** How many changes of the history are read at once; the authors of older ones count as unknown. */
  readonly maxCommits: number;
  /** How long git may take for something local, and for talking to the remote. */
  readonly localTimeoutMs: number;
  readonly networkTimeoutMs: number;
  /** How often a push is tried again when others were faster. */
  readonly maxAttempts: number;
}

export const TEAM_LIMITS: TeamLimits = {
  maxTopics: 10_000,
  maxRemoved: 20_000,
  maxFetchBytes: 256 * 1024 * 1024,
  maxCommits: 20_000,
  localTimeoutMs: 30_000,
  networkTimeoutMs: 120_000,
  maxAttempts: 20,
};

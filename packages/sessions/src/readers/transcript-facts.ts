/** What a transcript says of its session, as far as it was read. */
export interface TranscriptFacts {
  readonly sessionId: string | undefined;
  /** Where the session was begun. */
  readonly cwd: string | undefined;
  /** ISO 8601. */
  readonly startedAt: string | undefined;
  /** Whether the person wants nothing learned from it. */
  readonly optedOut: boolean;
  /** Whether another agent began it, so that no person speaks in it. */
  readonly isSubAgent: boolean;
  readonly skipped: SkippedCounts;
}

/** What the beginning of a transcript says that whoever reads on from its middle has to know. */
export interface KnownBefore extends Pick<
  TranscriptFacts,
  "sessionId" | "optedOut" | "isSubAgent"
> {
  /** How many messages are copies of what stands in another file. */
  readonly carried: number;
}

/** How much was left out because it could not be read. */
export interface SkippedCounts {
  readonly damagedLines: number;
  readonly longLines: number;
  /** Records and parts of a kind that the reader does not know. */
  readonly unknownRecords: number;
  readonly unknownParts: number;
}

import type { TranscriptTurn } from "../transcript/transcript-turn.ts";

/** One session to learn from, as data. */
export interface ExtractionTask {
  readonly kind: "extract";
  readonly threadId: string;
  /** When something was last said in it, as an ISO date. */
  readonly updatedAt: string;
  readonly turns: readonly TranscriptTurn[];
}

/** What is durable in a session; empty texts when nothing is. */
export interface Extraction {
  readonly rolloutSummary: string;
  readonly rolloutSlug: string | undefined;
  readonly rawMemory: string;
}

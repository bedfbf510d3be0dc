import type { TranscriptTurn } from "../transcript/transcript-turn.ts";

/** One session to learn from. */
export interface ExtractionTask {
  readonly kind: "extract";
  readonly threadId: string;
  /** The time of the last message in it, as an ISO date. */
  readonly updatedAt: string;
  readonly turns: readonly TranscriptTurn[];
}

/** The durable knowledge in one session; empty texts when there is none. */
export interface Extraction {
  readonly rolloutSummary: string;
  readonly rolloutSlug: string | undefined;
  readonly rawMemory: string;
}

export const EMPTY_EXTRACTION: Extraction = {
  rolloutSummary: "",
  rolloutSlug: undefined,
  rawMemory: "",
};

/** An extraction as it is stored. */
export interface StoredExtraction extends Extraction {
  readonly threadId: string;
  /** The time of the last message in the session. */
  readonly updatedAtMs: number;
  /** Whether a consolidation has yet to see it, or to see that its session is gone. */
  readonly isNew: boolean;
  /** Whether the user removed the session. */
  readonly isRemoved: boolean;
  /** Grows with every change; a consolidation records up to which one it has seen. */
  readonly watermark: number;
}

/** A version of an extraction that a consolidation has seen. */
export type SeenExtraction = Pick<StoredExtraction, "threadId" | "watermark">;

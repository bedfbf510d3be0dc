import type { Extraction } from "../extraction/extraction-task.ts";

/** What was learned from one session, as it is kept. */
export interface StoredExtraction extends Extraction {
  readonly threadId: string;
  /** When something was last said in the session. */
  readonly updatedAtMs: number;
  /** Whether a consolidation still has to see it, or that its session is gone. */
  readonly isNew: boolean;
  /** Whether the person removed the session. */
  readonly isRemoved: boolean;
  /** Grows with every change; a consolidation says up to which it has seen. */
  readonly watermark: number;
}

import type { StoredExtraction } from "../extraction/extraction.ts";
import type { PreviousMemory } from "../generation/memory.ts";

/** Everything that a consolidation starts from. */
export interface ConsolidationTask {
  readonly kind: "consolidate";
  /** Today as an ISO date. */
  readonly today: string;
  /** The current memory, including hand edits; `undefined` before the first consolidation. */
  readonly previous: PreviousMemory | undefined;
  /** Not seen by an earlier consolidation, newest first. */
  readonly added: readonly StoredExtraction[];
  /** From sessions that the user removed: whatever only they support is to be dropped. */
  readonly removed: readonly StoredExtraction[];
}

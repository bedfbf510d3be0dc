import type { PipelineNotice } from "../run/notice.ts";
import type { ConsolidatedMemory, PreviousMemory } from "./memory.ts";
import type { ExamResult } from "./exam-result.ts";
import type { StoredExtraction } from "../extraction/extraction.ts";

/** The memory of a project on disk: complete generations, one of which is current. */
export interface Generations {
  /**
   * The current memory, including hand edits; `undefined` before the first generation.
   * @throws PipelineError `MEMORY_UNUSABLE` when it exists and cannot be read: unreadable is not empty
   */
  readonly read: () => Promise<CurrentGeneration | undefined>;
  /** Writes the next generation and then, atomically, makes it the current one. */
  readonly write: (input: NewGeneration) => Promise<WrittenGeneration>;
  /** Removes all generations, the current one first. `whileLocked` runs before, under the same lock. */
  readonly clear: (whileLocked: () => void) => Promise<void>;
  /** Makes the previous generation the current one again. @throws PipelineError when there is none */
  readonly undo: () => Promise<number>;
}

export interface CurrentGeneration extends PreviousMemory {
  readonly number: number;
}

export interface NewGeneration {
  /** Already redacted; names and paths are sanitized here. */
  readonly memory: ConsolidatedMemory;
  /** The inputs, kept for people to read, newest first. */
  readonly extractions: readonly StoredExtraction[];
  readonly nowMs: number;
  /** The generation it is based on, if any: when another one has become current, nothing is written. */
  readonly basedOn?: { readonly number: number | undefined } | undefined;
  /**
   * Compares the current memory with the new one, as texts. A candidate that finds less is rejected, and the current
   * memory stays. Not called for the first generation.
   */
  readonly exam?:
    | ((texts: {
        readonly before: readonly string[];
        readonly after: readonly string[];
      }) => ExamResult)
    | undefined;
  /** Whether a line that the user wrote is not to be carried over. */
  readonly isUnwanted?: ((line: string) => boolean) | undefined;
  /** Checked right before the new generation becomes visible. */
  readonly isStillClaimed: () => boolean;
}

export type WrittenGeneration =
  | {
      readonly kind: "written";
      readonly number: number;
      /** About skills that were removed, kept or rejected, and hand edits that were kept. */
      readonly notices: readonly PipelineNotice[];
    }
  /** The candidate finds less than the current memory, which stays. */
  | {
      readonly kind: "rejected";
      readonly number: number;
      /** The directory in which the candidate is kept for inspection. */
      readonly path: string;
      readonly message: string;
    }
  /** The claim was lost: nothing was changed. */
  | { readonly kind: "lost" };

/** A candidate that was rejected after the current generation was written. */
export interface RejectedCandidate {
  readonly number: number;
  /** The document that explains it, next to the candidate's files. */
  readonly path: string;
}

/** Which generation new sessions see, and since when. */
export interface CurrentStatus {
  /** `undefined` when the file `current` is invalid. */
  readonly generation: number | undefined;
  /** Whether that generation exists. */
  readonly exists: boolean;
  /** When it was written; when it does not exist, the same as `sinceMs`. */
  readonly madeAtMs: number;
  readonly sinceMs: number;
}

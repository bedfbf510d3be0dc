import type { ConsolidatedMemory, PreviousMemory } from "../consolidation/consolidation-task.ts";
import type { StoredExtraction } from "../store/stored-extraction.ts";

/** The memory of a project on disk: whole generations, of which one is current. */
export interface Generations {
  /**
   * What is there now with what a person changed in it; `undefined` before the first time.
   * @throws PipelineError `MEMORY_UNUSABLE` when it is there and cannot be read: unknown is not empty
   */
  readonly read: () => Promise<CurrentGeneration | undefined>;
  /** Makes the next generation and then, in one step, the current one. */
  readonly write: (input: NewGeneration) => Promise<WrittenGeneration>;
  /** Removes all of them; what is current goes first. `whileLocked` runs before, under the same lock. */
  readonly clear: (whileLocked: () => void) => Promise<void>;
  /** Makes the one before current again. @throws PipelineError when there is none */
  readonly undo: () => Promise<number>;
}

export interface CurrentGeneration extends PreviousMemory {
  readonly number: number;
}

export interface NewGeneration {
  /** Without secrets already; names and paths are made harmless here. */
  readonly memory: ConsolidatedMemory;
  /** Inputs that are kept for people to read, newest first. */
  readonly extractions: readonly StoredExtraction[];
  readonly nowMs: number;
  /** The generation that it was made from, none before the first: when another is current by now, the turn is lost. */
  readonly basedOn?: { readonly number: number | undefined } | undefined;
  /** Asked right before the step that everybody sees. */
  readonly isStillOurs: () => boolean;
}

export type WrittenGeneration =
  | {
      readonly kind: "written";
      readonly number: number;
      /** What a person should hear: skills that were pruned, kept or left out, edits that were carried on. */
      readonly notices: readonly string[];
    }
  /** Somebody else's turn: nothing was changed. */
  | { readonly kind: "lost" };

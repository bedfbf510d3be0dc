import type { StoredExtraction } from "../store/stored-extraction.ts";

/** Everything a consolidation starts from, as data. */
export interface ConsolidationTask {
  readonly kind: "consolidate";
  /** The day of today, as an ISO date. */
  readonly today: string;
  /** What is there now, with what a person changed in it; `undefined` before the first time. */
  readonly previous: PreviousMemory | undefined;
  /** Not seen by an earlier consolidation, newest first. */
  readonly added: readonly StoredExtraction[];
  /** Those whose sessions the person removed: what only they support is to go. */
  readonly removed: readonly StoredExtraction[];
}

export interface PreviousMemory {
  readonly memoryMd: string;
  readonly memorySummary: string;
  readonly skills: readonly MemorySkill[];
  readonly handEdits: readonly HandEdit[];
}

/** What a person changed in a generated file since it was made: it wins over what a model says. */
export interface HandEdit {
  /** Relative to the generation, such as `MEMORY.md` or `skills/deploy/SKILL.md`. */
  readonly path: string;
  readonly addedLines: readonly string[];
  readonly removedLines: readonly string[];
}

/** A playbook: SKILL.md, and files beside it. */
export interface MemorySkill {
  readonly name: string;
  readonly content: string;
  readonly scripts: readonly PlacedFile[];
  readonly templates: readonly PlacedFile[];
  readonly examples: readonly PlacedFile[];
}

export interface PlacedFile {
  /** Relative to its folder. */
  readonly path: string;
  readonly content: string;
}

/** The memory after a consolidation. */
export interface ConsolidatedMemory {
  readonly memoryMd: string;
  readonly memorySummary: string;
  readonly skills: readonly MemorySkill[];
}

/** The memory after a consolidation. */
export interface ConsolidatedMemory {
  readonly memoryMd: string;
  readonly memorySummary: string;
  readonly skills: readonly MemorySkill[];
}

/** A playbook: SKILL.md and the files next to it. */
export interface MemorySkill {
  readonly name: string;
  readonly content: string;
  readonly scripts: readonly MemoryFile[];
  readonly templates: readonly MemoryFile[];
  readonly examples: readonly MemoryFile[];
}

export interface MemoryFile {
  /** Relative to its directory. */
  readonly path: string;
  readonly content: string;
}

/** The current memory, as the next consolidation starts from it. */
export interface PreviousMemory extends ConsolidatedMemory {
  readonly handEdits: readonly HandEdit[];
}

/** A user's change to a generated file since it was written: it takes precedence over the model's answer. */
export interface HandEdit {
  /** Relative to the generation, such as `MEMORY.md` or `skills/deploy/SKILL.md`. */
  readonly path: string;
  readonly addedLines: readonly string[];
  readonly removedLines: readonly string[];
}

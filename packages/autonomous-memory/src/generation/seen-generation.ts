import type { HandEdit } from "../consolidation/consolidation-task.ts";
import type { Digests, GenerationRecord } from "./generation-record.ts";
import { type Digest, findEdits, type FoundEdits } from "./hand-edits.ts";

/** A generation as it is on the disk, which people may have changed since it was made. */
export interface SeenGeneration {
  readonly record: GenerationRecord;
  readonly memoryMd: SeenText;
  readonly memorySummary: SeenText;
  /** Names of the directories below `skills`. */
  readonly skills: readonly string[];
  /** Of every file of the memory as it is now, by its path. */
  readonly digests: Digests;
}

interface SeenText {
  readonly made: string;
  readonly now: string;
}

/** What people did to a generation, and to those before it. */
export interface GenerationEdits {
  readonly memoryMd: FoundEdits;
  readonly memorySummary: FoundEdits;
  /** Directories of skills that a person wrote or edited. */
  readonly keptSkills: readonly string[];
  /** Names of skills that a person deleted, in lower case. */
  readonly deletedSkills: readonly string[];
}

export const MEMORY_FILE = "MEMORY.md";
export const SUMMARY_FILE = "memory_summary.md";
export const SKILLS_DIRECTORY = "skills";

export function findGenerationEdits(seen: SeenGeneration, digest: Digest): GenerationEdits {
  const { record, skills } = seen;
  const made = new Set(Object.keys(record.files).flatMap((path) => skillOf(path) ?? []));
  const wereKept = new Set(record.keptSkills);
  const keptSkills = skills.filter((name) => wereKept.has(name) || !isAsMade(name, seen));
  const there = new Set(skills.map((name) => name.toLowerCase()));
  const gone = [...made, ...wereKept].map((name) => name.toLowerCase());
  const deleted = [...record.deletedSkills, ...gone].filter((name) => !there.has(name));
  return {
    memoryMd: findEdits({ ...seen.memoryMd, known: record.memoryMd }, digest),
    memorySummary: findEdits({ ...seen.memorySummary, known: record.memorySummary }, digest),
    keptSkills,
    deletedSkills: [...new Set(deleted)].toSorted(),
  };
}

/** The edits as a model is told of them. A skill of a person's is all theirs, so each of its lines is. */
export function handEditsOf(
  edits: GenerationEdits,
  skillText: (name: string) => string | undefined,
): readonly HandEdit[] {
  const { memoryMd, memorySummary, keptSkills, deletedSkills } = edits;
  const texts = [
    { path: MEMORY_FILE, addedLines: memoryMd.added, removedLines: memoryMd.removed },
    { path: SUMMARY_FILE, addedLines: memorySummary.added, removedLines: memorySummary.removed },
  ];
  const kept = keptSkills.map((name) => ({
    path: skillPath(name),
    addedLines: (skillText(name) ?? "").split("\n").filter((line) => line.trim() !== ""),
    removedLines: [],
  }));
  const deleted = deletedSkills.map((name) => ({
    path: skillPath(name),
    addedLines: [],
    removedLines: [`name: ${name}`],
  }));
  const found = [...texts, ...kept, ...deleted];
  return found.filter((edit) => edit.addedLines.length + edit.removedLines.length > 0);
}

function skillPath(name: string): string {
  return `${SKILLS_DIRECTORY}/${name}/SKILL.md`;
}

/** The skill that a file belongs to. */
export function skillOf(path: string): string | undefined {
  const [top, name, ...rest] = path.split("/");
  return top === SKILLS_DIRECTORY && rest.length > 0 ? name : undefined;
}

function isAsMade(name: string, { record, digests }: SeenGeneration): boolean {
  const [made, now] = [filesOf(name, record.files), filesOf(name, digests)];
  return made.length === now.length && made.every((path) => record.files[path] === digests[path]);
}

function filesOf(name: string, files: Digests): readonly string[] {
  return Object.keys(files).filter((path) => skillOf(path) === name);
}

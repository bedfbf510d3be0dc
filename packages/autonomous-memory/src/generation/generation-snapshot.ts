import type { HandEdit } from "./memory.ts";
import type { Digests, GenerationRecord } from "./generation-record.ts";
import { type Digest, findEdits, type FoundEdits } from "./find-edits.ts";

/** A generation as it is on disk; the user may have edited it. */
export interface GenerationSnapshot {
  readonly record: GenerationRecord;
  readonly memoryMd: TextSnapshot;
  readonly memorySummary: TextSnapshot;
  /** The names of the directories in `skills`. */
  readonly skills: readonly string[];
  /** The digest of every memory file as it is now, by path. */
  readonly digests: Digests;
}

interface TextSnapshot {
  readonly generated: string;
  readonly current: string;
}

/** The user's edits to a generation and its predecessors. */
export interface GenerationEdits {
  readonly memoryMd: FoundEdits;
  readonly memorySummary: FoundEdits;
  /** Directories of skills that the user wrote or edited. */
  readonly keptSkills: readonly string[];
  /** Names of skills that the user deleted, in lower case. */
  readonly deletedSkills: readonly string[];
}

export const MEMORY_FILE = "MEMORY.md";
export const SUMMARY_FILE = "memory_summary.md";
export const SKILLS_DIRECTORY = "skills";

export function findGenerationEdits(snapshot: GenerationSnapshot, digest: Digest): GenerationEdits {
  const { record, skills } = snapshot;
  const generated = new Set(Object.keys(record.files).flatMap((path) => skillNameIn(path) ?? []));
  const wereKept = new Set(record.keptSkills);
  const keptSkills = skills.filter((name) => wereKept.has(name) || !isUnchanged(name, snapshot));
  const existing = new Set(skills.map((name) => name.toLowerCase()));
  const earlier = [...generated, ...wereKept].map((name) => name.toLowerCase());
  const deleted = [...record.deletedSkills, ...earlier].filter((name) => !existing.has(name));
  return {
    memoryMd: findEdits({ ...snapshot.memoryMd, known: record.memoryMd }, digest),
    memorySummary: findEdits({ ...snapshot.memorySummary, known: record.memorySummary }, digest),
    keptSkills,
    deletedSkills: [...new Set(deleted)].toSorted(),
  };
}

/** The edits as the model sees them. A skill that the user edited counts as written by the user in full. */
export function toHandEdits(
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

/** The name of the skill that a file belongs to. */
export function skillNameIn(path: string): string | undefined {
  const [top, name, ...rest] = path.split("/");
  return top === SKILLS_DIRECTORY && rest.length > 0 ? name : undefined;
}

function isUnchanged(name: string, { record, digests }: GenerationSnapshot): boolean {
  const [before, now] = [filesOf(name, record.files), filesOf(name, digests)];
  return (
    before.length === now.length && before.every((path) => record.files[path] === digests[path])
  );
}

function filesOf(name: string, files: Digests): readonly string[] {
  return Object.keys(files).filter((path) => skillNameIn(path) === name);
}

import { join } from "node:path";
import type { MemorySkill, PlacedFile } from "../../consolidation/consolidation-task.ts";
import { PipelineError } from "../../errors.ts";
import {
  type Digests,
  type GenerationRecord,
  parseRecord,
} from "../../generation/generation-record.ts";
import {
  MEMORY_FILE,
  type SeenGeneration,
  skillOf,
  SKILLS_DIRECTORY,
  SUMMARY_FILE,
} from "../../generation/seen-generation.ts";
import { CURRENT_FILE, generationDirectory, readCurrentNumber } from "./current-generation.ts";
import { digest } from "./digest.ts";
import { filesBelow, isDirectoryOrMissing, readBytes, readText } from "./memory-files.ts";
import { memoryUnusable } from "./memory-unusable.ts";

export const RECORD_FILE = "generation.json";
/** Where the texts are as they were made. */
export const MADE_DIRECTORY = ".generated";
const FILES = [MEMORY_FILE, SUMMARY_FILE] as const;
/** Made anew each time, so nothing that is wrong with them may stand in the way. */
const INPUT_FILE = "raw_memories.md";
const INPUTS_DIRECTORY = "rollout_summaries";
const MAX_SHOWN_FILE_BYTES: number = 64 * 1024;

/**
 * The number of the current generation; `undefined` before the first time.
 * @throws PipelineError `MEMORY_UNUSABLE`
 */
export function currentNumber(directory: string): number | undefined {
  isDirectoryOrMissing(directory);
  const current = readCurrentNumber(directory);
  if (current.kind === "none") return undefined;
  if (current.kind === "number") return current.number;
  const reason = `${current.reason}; caliban memory clear starts anew`;
  throw memoryUnusable(join(directory, CURRENT_FILE), reason);
}

/**
 * A generation as it is on the disk.
 * @throws PipelineError `MEMORY_UNUSABLE`
 */
export function lookAtGeneration(directory: string, number: number): SeenGeneration {
  const place = generationDirectory(directory, number);
  const digests = digestsIn(place);
  return {
    record: readRecord(directory, number),
    memoryMd: seenText(place, MEMORY_FILE),
    memorySummary: seenText(place, SUMMARY_FILE),
    skills: [...new Set(Object.keys(digests).flatMap((path) => skillOf(path) ?? []))],
    digests,
  };
}

/** What was noted when a generation was made. */
export function readRecord(directory: string, number: number): GenerationRecord {
  const place = generationDirectory(directory, number);
  const record = parseRecord(readText(join(place, RECORD_FILE)));
  if (record?.number === number) return record;
  const reason = `${RECORD_FILE} is missing or damaged; caliban memory clear starts anew`;
  throw memoryUnusable(place, reason);
}

/** What a generation's files hold now, without what is ours alone. */
export function digestsIn(place: string): Digests {
  isDirectoryOrMissing(join(place, ".."));
  if (!isDirectoryOrMissing(place)) return {};
  const inputs = unlessUnusable(() => pathsBelow(place, INPUTS_DIRECTORY)) ?? [];
  return Object.fromEntries([
    ...[...FILES, ...pathsBelow(place, SKILLS_DIRECTORY)].flatMap((path) => digestAt(place, path)),
    ...[INPUT_FILE, ...inputs].flatMap((path) => unlessUnusable(() => digestAt(place, path)) ?? []),
  ]);
}

function pathsBelow(place: string, name: string): readonly string[] {
  return filesBelow(join(place, name)).map((path) => `${name}/${path}`);
}

function digestAt(place: string, path: string): readonly (readonly [string, string])[] {
  const file = readBytes(join(place, ...path.split("/")));
  return file === undefined ? [] : [[path, digest(file.bytes)]];
}

function unlessUnusable<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (error) {
    if (error instanceof PipelineError) return undefined;
    throw error;
  }
}

function seenText(place: string, name: string): { readonly made: string; readonly now: string } {
  const made = readBytes(join(place, MADE_DIRECTORY, name));
  if (made === undefined) {
    throw memoryUnusable(place, `${MADE_DIRECTORY} is damaged; caliban memory clear starts anew`);
  }
  return { made: made.bytes.toString("utf8"), now: readText(join(place, name)) };
}

/** The skills of a generation as a model is shown them: their texts, and no file that is too long for that. */
export function readSkills(place: string, names: readonly string[]): readonly MemorySkill[] {
  return names.map((name) => {
    const skill = join(place, SKILLS_DIRECTORY, name);
    const folder = (part: string): readonly PlacedFile[] =>
      filesBelow(join(skill, part)).flatMap((path) => {
        const { bytes } = readBytes(join(skill, part, ...path.split("/"))) ?? {};
        if (bytes === undefined || bytes.length > MAX_SHOWN_FILE_BYTES || bytes.includes(0))
          return [];
        return { path, content: bytes.toString("utf8") };
      });
    const content = readText(join(skill, "SKILL.md"));
    const [scripts, templates, examples] = [
      folder("scripts"),
      folder("templates"),
      folder("examples"),
    ];
    return { name, content, scripts, templates, examples };
  });
}

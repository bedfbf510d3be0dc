import { join } from "node:path";
import { command, type CommandMessage, withCommands } from "@caliban/common";
import type { MemorySkill, MemoryFile } from "../../generation/memory.ts";
import { isPipelineError } from "../../run/errors.ts";
import {
  type Digests,
  type GenerationRecord,
  parseRecord,
} from "../../generation/generation-record.ts";
import {
  MEMORY_FILE,
  type GenerationSnapshot,
  skillNameIn,
  SKILLS_DIRECTORY,
  SUMMARY_FILE,
} from "../../generation/generation-snapshot.ts";
import { CURRENT_FILE, generationDirectory, readCurrentNumber } from "./current-generation.ts";
import { listFiles, directoryExists, readBytes, readText } from "./memory-files.ts";
import { unusableMemory } from "./memory-unusable.ts";
import { createHash } from "node:crypto";

export const RECORD_FILE = "generation.json";
/** Contains the texts as they were generated. */
export const GENERATED_DIRECTORY = ".generated";
const FILES = [MEMORY_FILE, SUMMARY_FILE] as const;
/** Regenerated each time, so a problem with them must not block anything. */
const INPUT_FILE = "raw_memories.md";
const INPUTS_DIRECTORY = "rollout_summaries";
const MAX_SHOWN_FILE_BYTES: number = 64 * 1024;

/**
 * The number of the current generation; `undefined` before the first.
 * @throws PipelineError `MEMORY_UNUSABLE`
 */
export function currentNumber(directory: string): number | undefined {
  directoryExists(directory);
  const current = readCurrentNumber(directory);
  if (current.kind === "none") return undefined;
  if (current.kind === "number") return current.number;
  throw unusableMemory(join(directory, CURRENT_FILE), startOver(current.reason));
}

/**
 * A generation as it is on disk.
 * @throws PipelineError `MEMORY_UNUSABLE`
 */
export function readSnapshot(directory: string, number: number): GenerationSnapshot {
  const root = generationDirectory(directory, number);
  const digests = digestsIn(root);
  return {
    record: readRecord(directory, number),
    memoryMd: textSnapshot(root, MEMORY_FILE),
    memorySummary: textSnapshot(root, SUMMARY_FILE),
    skills: [...new Set(Object.keys(digests).flatMap((path) => skillNameIn(path) ?? []))],
    digests,
  };
}

/** The record that was written with a generation. */
export function readRecord(directory: string, number: number): GenerationRecord {
  const root = generationDirectory(directory, number);
  const record = parseRecord(readText(join(root, RECORD_FILE)));
  if (record?.number === number) return record;
  throw unusableMemory(root, startOver(`${RECORD_FILE} is missing or damaged`));
}

function startOver(problem: string): CommandMessage {
  return withCommands`${problem}; start over with: ${command("memory clear")}`;
}

/** The digests of a generation's files as they are now, without internal files. */
export function digestsIn(root: string): Digests {
  directoryExists(join(root, ".."));
  if (!directoryExists(root)) return {};
  const inputs = ignoreUnusable(() => pathsBelow(root, INPUTS_DIRECTORY)) ?? [];
  return Object.fromEntries([
    ...[...FILES, ...pathsBelow(root, SKILLS_DIRECTORY)].flatMap((path) => digestAt(root, path)),
    ...[INPUT_FILE, ...inputs].flatMap((path) => ignoreUnusable(() => digestAt(root, path)) ?? []),
  ]);
}

function pathsBelow(root: string, name: string): readonly string[] {
  return listFiles(join(root, name)).map((path) => `${name}/${path}`);
}

function digestAt(root: string, path: string): readonly (readonly [string, string])[] {
  const file = readBytes(join(root, ...path.split("/")));
  return file === undefined ? [] : [[path, digest(file.bytes)]];
}

function ignoreUnusable<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (error) {
    if (isPipelineError(error)) return undefined;
    throw error;
  }
}

function textSnapshot(root: string, name: string): GenerationSnapshot["memoryMd"] {
  const generated = readBytes(join(root, GENERATED_DIRECTORY, name));
  if (generated === undefined) {
    throw unusableMemory(root, startOver(`${GENERATED_DIRECTORY} is damaged`));
  }
  return {
    generated: generated.bytes.toString("utf8"),
    current: readText(join(root, name)),
  };
}

/** The skills of a generation as shown to a model: only text files, and none that is too long. */
export function readSkills(root: string, names: readonly string[]): readonly MemorySkill[] {
  return names.map((name) => {
    const skill = join(root, SKILLS_DIRECTORY, name);
    const folder = (part: string): readonly MemoryFile[] =>
      listFiles(join(skill, part)).flatMap((path) => {
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

/** SHA-256 of a text or of bytes, in hexadecimal digits. */
export function digest(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}

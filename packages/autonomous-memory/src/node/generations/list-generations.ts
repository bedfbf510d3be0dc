import { join } from "node:path";
import type { MemoryFile } from "../../generation/memory.ts";
import {
  MEMORY_FILE,
  SKILLS_DIRECTORY,
  SUMMARY_FILE,
} from "../../generation/generation-snapshot.ts";
import { generationNumbers } from "./clean-up.ts";
import { isPipelineError } from "../../run/errors.ts";
import {
  generationDirectory,
  GENERATIONS_DIRECTORY,
  readCurrentNumber,
} from "./current-generation.ts";
import { directoryExists, listFiles, readBytes } from "./memory-files.ts";
import { explainSystemErrors } from "./memory-unusable.ts";
import { isPlainPath } from "./plain-directories.ts";
import { readRecord } from "./read-snapshot.ts";

/** A generation that is still on disk. */
export interface StoredGeneration {
  readonly number: number;
  /** The generation that it was made from, if that is still on disk. */
  readonly previous: number | undefined;
  readonly madeAtMs: number;
  /** Whether new sessions see it. */
  readonly isCurrent: boolean;
}

/**
 * Lists the generations on disk, newest first. Damaged ones are left out; creates nothing.
 * @example
 * ```ts
 * import { listGenerations, readGenerationFiles } from "@caliban/autonomous-memory/node";
 *
 * const [newest] = await listGenerations("autonomous");
 * const files = newest === undefined ? [] : await readGenerationFiles("autonomous", newest.number);
 * console.log(files.map(({ path }) => path)); // [] until something was learned
 * ```
 */
export async function listGenerations(directory: string): Promise<readonly StoredGeneration[]> {
  return await explainSystemErrors(directory, async () => {
    if (!directoryExists(directory)) return [];
    const current = readCurrentNumber(directory);
    const numbers = generationNumbers(directory).toSorted((one, other) => other - one);
    return numbers.flatMap((number) => {
      const record = recordOf(directory, number);
      if (record === undefined) return [];
      const { previous, madeAt } = record;
      return [
        {
          number,
          previous: previous !== undefined && numbers.includes(previous) ? previous : undefined,
          madeAtMs: Date.parse(madeAt) || 0,
          isCurrent: current.kind === "number" && current.number === number,
        },
      ];
    });
  });
}

function recordOf(directory: string, number: number): ReturnType<typeof readRecord> | undefined {
  try {
    return readRecord(directory, number);
  } catch (error) {
    if (!isPipelineError(error)) throw error;
    return undefined;
  }
}

const MAX_FILES = 200;
const MAX_FILE_BYTES: number = 256 * 1024;

/**
 * The files of a generation that sessions read, with the edits of the user: the memory, its summary and the playbooks.
 * None for a generation that is not on disk.
 * @throws PipelineError `MEMORY_UNUSABLE`
 */
export async function readGenerationFiles(
  directory: string,
  number: number,
): Promise<readonly MemoryFile[]> {
  return await explainSystemErrors(directory, async () => {
    if (!isPlainPath(directory, [GENERATIONS_DIRECTORY, String(number)])) return [];
    const root = generationDirectory(directory, number);
    const skills = listFiles(join(root, SKILLS_DIRECTORY))
      .slice(0, MAX_FILES)
      .map((path) => `${SKILLS_DIRECTORY}/${path}`);
    return [SUMMARY_FILE, MEMORY_FILE, ...skills].flatMap((path) => {
      const { bytes } = readBytes(join(root, ...path.split("/"))) ?? {};
      if (bytes === undefined || bytes.length > MAX_FILE_BYTES || bytes.includes(0)) return [];
      return [{ path, content: bytes.toString("utf8") }];
    });
  });
}

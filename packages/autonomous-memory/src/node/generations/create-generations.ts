import { rm } from "node:fs/promises";
import { join } from "node:path";
import { requireArguments } from "@caliban/common";
import {
  type Disk,
  nodeDisk,
  removeIfExists,
  withLock,
  type HeldLock,
  isSymlink,
  type LockTiming,
  writeFileAtomic,
} from "@caliban/common/node";
import { PipelineError } from "../../run/errors.ts";
import type { CurrentGeneration, Generations } from "../../generation/generations.ts";
import { findGenerationEdits, toHandEdits } from "../../generation/generation-snapshot.ts";
import { CURRENT_FILE, generationDirectory, GENERATIONS_DIRECTORY } from "./current-generation.ts";
import { digest, currentNumber, readSnapshot, readRecord, readSkills } from "./read-snapshot.ts";

import { directoryExists } from "./memory-files.ts";
import { unusableMemory, explainSystemErrors } from "./memory-unusable.ts";
import { isPlainDirectory } from "./plain-directories.ts";
import { cleanUp } from "./clean-up.ts";
import { type WriteContext, writeGeneration } from "./write-generation.ts";

export interface GenerationsInput {
  /** `autonomous` in the project's directory; created by the first write. */
  readonly directory: string;
  readonly disk?: Disk;
  readonly lockTiming?: Partial<LockTiming>;
}

/**
 * The memory of a project in a directory, for any number of processes at once.
 * @example
 * ```ts
 * import { createGenerations } from "@caliban/autonomous-memory/node";
 *
 * const generations = createGenerations({ directory: "autonomous" });
 * await generations.write({
 *   memory: { memoryMd: "# Memory\n\n- Use pnpm.\n", memorySummary: "Use pnpm.\n", skills: [] },
 *   extractions: [],
 *   nowMs: Date.now(),
 *   isStillClaimed: () => true,
 * });
 * console.log((await generations.read())?.memorySummary); // "Use pnpm.\n"
 * ```
 */
export function createGenerations(input: GenerationsInput): Generations {
  requireArguments("createGenerations", input, ["directory"]);
  const { directory, disk = nodeDisk, lockTiming = {} } = input;
  const locked = <T>(action: (held: HeldLock) => Promise<T>): Promise<T> =>
    explainSystemErrors(directory, async () => {
      directoryExists(directory);
      await disk.makeDirectory(directory);
      const path = join(directory, LOCK_FILE);
      if (isSymlink(path)) throw unusableMemory(path, "it is a symbolic link");
      return await withLock({ path, disk, timing: lockTiming }, action);
    });
  const exists = (): boolean => directoryExists(directory);
  return {
    read: () => explainSystemErrors(directory, async () => readCurrent(directory)),
    write: (generation) => locked((held) => writeGeneration({ directory, disk, held }, generation)),
    undo: async () =>
      exists() ? await locked((held) => undo({ directory, disk, held })) : nothingBefore(),
    clear: async (whileLocked) => {
      // Nothing is created just to be locked, unless another process creates it right now.
      const existed = exists();
      if (!existed) whileLocked();
      if (!exists()) return;
      await locked(async (held) => {
        if (existed) whileLocked();
        await clear({ directory, disk, held });
      });
    },
  };
}

const LOCK_FILE = ".lock";

function readCurrent(directory: string): CurrentGeneration | undefined {
  const number = currentNumber(directory);
  if (number === undefined) return undefined;
  const snapshot = readSnapshot(directory, number);
  const skills = readSkills(generationDirectory(directory, number), snapshot.skills);
  const textOf = (name: string): string | undefined =>
    skills.find((skill) => skill.name === name)?.content;
  return {
    number,
    memoryMd: snapshot.memoryMd.current,
    memorySummary: snapshot.memorySummary.current,
    skills,
    handEdits: toHandEdits(findGenerationEdits(snapshot, digest), textOf),
  };
}

async function undo({ directory, disk, held }: WriteContext): Promise<number> {
  const number = currentNumber(directory);
  const previous = number === undefined ? undefined : readRecord(directory, number).previous;
  if (previous === undefined || !directoryExists(generationDirectory(directory, previous))) {
    return nothingBefore();
  }
  readSnapshot(directory, previous);
  await held.assertHeld();
  await writeFileAtomic(join(directory, CURRENT_FILE), `${previous}\n`, disk);
  return previous;
}

function nothingBefore(): never {
  throw new PipelineError("MEMORY_UNUSABLE", "There is no earlier memory to restore.");
}

/** The pointer to the current generation goes first: after a crash, the rest is unreachable. */
async function clear({ directory, disk, held }: WriteContext): Promise<void> {
  await held.assertHeld();
  const current = join(directory, CURRENT_FILE);
  // A directory of that name is in the way as well.
  await (isPlainDirectory(current)
    ? rm(current, { recursive: true })
    : removeIfExists(disk, current));
  await disk.syncDirectory(directory);
  await rm(join(directory, GENERATIONS_DIRECTORY), { recursive: true, force: true });
  await cleanUp(directory, [], disk);
  await disk.syncDirectory(directory);
}

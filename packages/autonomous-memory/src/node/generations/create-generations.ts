import { rm } from "node:fs/promises";
import { join } from "node:path";
import {
  type Disk,
  nodeDisk,
  removeIfThere,
  withLock,
  type HeldLock,
  type LockTiming,
  writeFileAtomic,
} from "@caliban/common/node";
import { PipelineError } from "../../errors.ts";
import type { CurrentGeneration, Generations } from "../../generation/generations.ts";
import { findGenerationEdits, handEditsOf } from "../../generation/seen-generation.ts";
import { CURRENT_FILE, generationDirectory, GENERATIONS_DIRECTORY } from "./current-generation.ts";
import { digest } from "./digest.ts";
import { currentNumber, lookAtGeneration, readRecord, readSkills } from "./look-at-generation.ts";
import { isDirectoryOrMissing } from "./memory-files.ts";
import { memoryUnusable, reportUnusable } from "./memory-unusable.ts";
import { isPlainDirectory, lookAt } from "./plain-way.ts";
import { sweep } from "./sweep.ts";
import { writeGeneration } from "./write-generation.ts";

export interface GenerationsInput {
  /** `autonomous` in the home of the project; made when it is first written to. */
  readonly directory: string;
  readonly disk?: Disk;
  readonly lockTiming?: Partial<LockTiming>;
}

/** The memory of a project in a directory, for any number of processes at once. */
export function createGenerations(input: GenerationsInput): Generations {
  const { directory, disk = nodeDisk, lockTiming = {} } = input;
  const locked = <T>(action: (held: HeldLock) => Promise<T>): Promise<T> =>
    reportUnusable(directory, async () => {
      isDirectoryOrMissing(directory);
      await disk.makeDirectory(directory);
      const path = join(directory, LOCK_FILE);
      if (lookAt(path)?.isSymbolicLink() === true) throw memoryUnusable(path, "it is a link");
      return await withLock({ path, disk, timing: lockTiming }, action);
    });
  const isDirectory = (): boolean => isDirectoryOrMissing(directory);
  return {
    read: () => reportUnusable(directory, async () => readCurrent(directory)),
    write: (generation) => locked((held) => writeGeneration({ directory, disk, held }, generation)),
    undo: async () =>
      isDirectory() ? await locked((held) => undo({ directory, disk, held })) : nothingBefore(),
    clear: async (whileLocked) => {
      // Where nothing is, nothing is made; unless somebody makes it just now.
      const isThere = isDirectory();
      if (!isThere) whileLocked();
      if (!isDirectory()) return;
      await locked(async (held) => {
        if (isThere) whileLocked();
        await clear({ directory, disk, held });
      });
    },
  };
}

const LOCK_FILE = ".lock";

function readCurrent(directory: string): CurrentGeneration | undefined {
  const number = currentNumber(directory);
  if (number === undefined) return undefined;
  const seen = lookAtGeneration(directory, number);
  const skills = readSkills(generationDirectory(directory, number), seen.skills);
  const textOf = (name: string): string | undefined =>
    skills.find((skill) => skill.name === name)?.content;
  return {
    number,
    memoryMd: seen.memoryMd.now,
    memorySummary: seen.memorySummary.now,
    skills,
    handEdits: handEditsOf(findGenerationEdits(seen, digest), textOf),
  };
}

interface Bench {
  readonly directory: string;
  readonly disk: Disk;
  readonly held: HeldLock;
}

async function undo({ directory, disk, held }: Bench): Promise<number> {
  const number = currentNumber(directory);
  const previous = number === undefined ? undefined : readRecord(directory, number).previous;
  if (previous === undefined || !isDirectoryOrMissing(generationDirectory(directory, previous))) {
    return nothingBefore();
  }
  lookAtGeneration(directory, previous);
  await held.assertHeld();
  await writeFileAtomic(join(directory, CURRENT_FILE), `${previous}\n`, disk);
  return previous;
}

function nothingBefore(): never {
  throw new PipelineError("MEMORY_UNUSABLE", "There is no earlier memory to go back to.");
}

/** What is current goes first: whoever is ended here leaves a memory that nobody finds. */
async function clear({ directory, disk, held }: Bench): Promise<void> {
  await held.assertHeld();
  const current = join(directory, CURRENT_FILE);
  // Whatever else has the name of the file is in the way too.
  await (isPlainDirectory(current)
    ? rm(current, { recursive: true })
    : removeIfThere(disk, current));
  await disk.syncDirectory(directory);
  await rm(join(directory, GENERATIONS_DIRECTORY), { recursive: true, force: true });
  await sweep(directory, [], disk);
  await disk.syncDirectory(directory);
}

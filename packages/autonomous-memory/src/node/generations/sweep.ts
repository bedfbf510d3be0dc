import { readdirSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import {
  type Disk,
  errorCode,
  hasCode,
  isLockOfNobody,
  removeQuietly,
  thisMachine,
} from "@caliban/common/node";
import { GENERATIONS_DIRECTORY } from "./current-generation.ts";

const TEMPORARY = /^\.current\.[\w-]+\.tmp$/;
const LOCK_PART = /^\.lock\./;

/** Removes generations that are not kept, and what writers left behind who died. The lock is held. */
export async function sweep(directory: string, kept: readonly number[], disk: Disk): Promise<void> {
  const names = new Set(kept.map(String));
  const generations = join(directory, GENERATIONS_DIRECTORY);
  const old = namesIn(generations).filter((name) => /^\d+$/.test(name) && !names.has(name));
  // oxlint-disable-next-line no-await-in-loop -- hardly ever more than one
  for (const name of old) await removeTree(join(generations, name));
  const parts = namesIn(directory).filter((name) => TEMPORARY.test(name) || LOCK_PART.test(name));
  for (const name of parts) {
    const path = join(directory, name);
    // oxlint-disable-next-line no-await-in-loop -- hardly ever more than one
    const isLeft = TEMPORARY.test(name) || (await isLockOfNobody(path, thisMachine()));
    // oxlint-disable-next-line no-await-in-loop
    if (isLeft) await removeQuietly(disk, path);
  }
}

/** Removes a directory with all that is in it, links themselves and not what they lead to; what the system refuses stays. */
export async function removeTree(path: string): Promise<void> {
  try {
    await rm(path, { recursive: true, force: true, maxRetries: 3 });
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
  }
}

/** The numbers of the generations that there is anything of. One that nobody counts up to is not one of ours. */
export function generationNumbers(directory: string): readonly number[] {
  const names = namesIn(join(directory, GENERATIONS_DIRECTORY));
  return names.filter((name) => /^[1-9]\d{0,8}$/.test(name)).map(Number);
}

function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch (error) {
    if (hasCode(error, "ENOENT")) return [];
    throw error;
  }
}

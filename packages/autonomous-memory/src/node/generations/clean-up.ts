import { readdirSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import {
  type Disk,
  errorCode,
  hasCode,
  isStaleLock,
  removeQuietly,
  thisMachine,
} from "@caliban/common/node";
import { GENERATIONS_DIRECTORY } from "./current-generation.ts";

const TEMPORARY = /^\.current\.[\w-]+\.tmp$/;
const LOCK_PART = /^\.lock\./;

/** Removes generations that are not kept, and files left behind by crashed writers. The lock is held. */
export async function cleanUp(
  directory: string,
  kept: readonly number[],
  disk: Disk,
): Promise<void> {
  const names = new Set(kept.map(String));
  const generations = join(directory, GENERATIONS_DIRECTORY);
  const old = namesIn(generations).filter((name) => /^\d+$/.test(name) && !names.has(name));
  for (const name of old) await removeTree(join(generations, name));
  const parts = namesIn(directory).filter((name) => TEMPORARY.test(name) || LOCK_PART.test(name));
  for (const name of parts) {
    const path = join(directory, name);
    const isStale = TEMPORARY.test(name) || (await isStaleLock(path, thisMachine()));
    if (isStale) await removeQuietly(disk, path);
  }
}

/** Removes a directory with its contents without following links; whatever cannot be removed stays. */
export async function removeTree(path: string): Promise<void> {
  try {
    await rm(path, { recursive: true, force: true, maxRetries: 3 });
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
  }
}

/** The numbers of the generations on disk. An absurdly high number is not one of ours. */
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

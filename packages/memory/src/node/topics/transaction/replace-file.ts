import {
  type Disk,
  errorCode,
  hasCode,
  linkIfFree,
  NO_HARD_LINKS,
  removeQuietly,
  writeNewFile,
} from "@caliban/common/node";
import {
  assertPlainFile,
  hasContent,
  moveIfFree,
  plainFileExists,
  removePlainFile,
} from "../files/plain-file.ts";
import { backupPath } from "../files/topic-files.ts";
import { saveConflictCopy } from "./conflict-copy.ts";
import type { LockedStore } from "./store-context.ts";

/** The text that a change is based on, and the new text; `null` means no file. */
export interface Replacement {
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
  /** `before` as bytes: a file is compared with them several times, and an index can be long. */
  readonly beforeBytes: Buffer | null;
}

export function createReplacement({
  path,
  before,
  after,
}: Omit<Replacement, "beforeBytes">): Replacement {
  return { path, before, after, beforeBytes: before === null ? null : Buffer.from(before) };
}

/** Whether the file was replaced, or another program had changed it; then its text is kept. */
export type ReplaceResult =
  | { readonly kind: "replaced" }
  | {
      readonly kind: "changed";
      /** Whether the previous file remains as a backup, because another file took its name in the meantime. */
      readonly hasBackup: boolean;
    };

const REPLACED: ReplaceResult = { kind: "replaced" };
const CHANGED: ReplaceResult = { kind: "changed", hasBackup: false };
const CHANGED_WITH_BACKUP: ReplaceResult = { kind: "changed", hasBackup: true };

/**
 * Replaces a text. Other programs write here without our lock, and a plain rename would overwrite what they wrote a
 * moment earlier. So the current file becomes a backup, is compared with the expected text, and only then is the new file
 * linked to the name, which fails if the name is taken: no text is ever overwritten. The caller syncs the directory.
 */
export async function replaceFile(
  { context: { disk }, lock }: Pick<LockedStore, "context" | "lock">,
  replacement: Replacement,
): Promise<ReplaceResult> {
  const { path, beforeBytes, after } = replacement;
  const temporary = temporaryPath(path);
  // We hold the lock, so this is the file of a crashed writer.
  await removePlainFile(disk, temporary);
  if (plainFileExists(backupPath(path)) && !hasContent(backupPath(path), beforeBytes)) {
    return CHANGED_WITH_BACKUP;
  }
  assertPlainFile(path);
  if (!hasContent(path, beforeBytes)) return CHANGED;
  await removePlainFile(disk, backupPath(path));
  try {
    if (after !== null) await writeNewFile(disk, temporary, after);
    await lock.assertHeld();
    const result = await exchange(disk, replacement);
    if (result.kind === "changed") await removeQuietly(disk, temporary);
    return result;
  } catch (error) {
    // After losing the lock, these names belong to another process.
    if (!isLockLost(error)) await removeQuietly(disk, temporary);
    throw error;
  }
}

/** Whether another process got the lock because this one had not renewed it for too long. */
export function isLockLost(error: unknown): boolean {
  return hasCode(error, "ELOST");
}

async function exchange(
  disk: Disk,
  { path, before, after, beforeBytes }: Replacement,
): Promise<ReplaceResult> {
  if (before !== null && !(await moveToBackup(disk, path))) return CHANGED;
  if (before !== null && !hasContent(backupPath(path), beforeBytes)) {
    return (await restoreBackup(disk, path)) ? CHANGED : CHANGED_WITH_BACKUP;
  }
  if (after === null) return REPLACED;
  try {
    if (await publish(disk, path)) return REPLACED;
    return before === null ? CHANGED : CHANGED_WITH_BACKUP;
  } catch (error) {
    if (before !== null && errorCode(error) !== undefined) await restoreBackup(disk, path);
    throw error;
  }
}

/** Returns whether there was a file to move. */
async function moveToBackup(disk: Disk, path: string): Promise<boolean> {
  try {
    await disk.rename(path, backupPath(path));
    return true;
  } catch (error) {
    if (!hasCode(error, "ENOENT")) throw error;
    return false;
  }
}

/** Gives the new file its name; returns whether the name was free. */
async function publish(disk: Disk, path: string): Promise<boolean> {
  const temporary = temporaryPath(path);
  try {
    if (!(await linkIfFree(disk, temporary, path))) return false;
  } catch (error) {
    if (!hasCode(error, ...NO_HARD_LINKS)) throw error;
    // Without hard links, another program has only the moment after this check to interfere.
    if (plainFileExists(path)) return false;
    await disk.rename(temporary, path);
    return true;
  }
  await removeQuietly(disk, temporary);
  return true;
}

/** Moves a backup to its original name; returns whether the name was free. */
export async function restoreBackup(disk: Disk, path: string): Promise<boolean> {
  return await moveIfFree(disk, backupPath(path), path);
}

/** Undoes a replacement; returns whether the file still had the new text. */
export async function rollBackFile(
  disk: Disk,
  { path, before, after }: Omit<Replacement, "beforeBytes">,
): Promise<boolean> {
  const temporary = temporaryPath(path);
  if (after !== null) {
    if (!hasContent(path, after)) return false;
    await disk.rename(path, temporary);
    if (!hasContent(temporary, after)) {
      // Another program changed it just now: keep its text, even if its name is taken already.
      if (!(await moveIfFree(disk, temporary, path))) {
        await saveConflictCopy(disk, temporary, path);
      }
      return false;
    }
  }
  const isRestored = before === null || (await restoreBackup(disk, path));
  if (after !== null) await removeQuietly(disk, temporary);
  return isRestored;
}

function temporaryPath(path: string): string {
  return `${path}.tmp`;
}

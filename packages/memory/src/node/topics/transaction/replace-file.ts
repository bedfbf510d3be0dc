import {
  type Disk,
  errorCode,
  hasCode,
  type HeldLock,
  removeQuietly,
  writeNewFile,
} from "@caliban/common/node";
import { moveIfFree, saveConflictCopy } from "./conflict-copy.ts";
import { backupPath } from "../files/topic-files.ts";
import { hasContent, isPlainFile, removePlainFile } from "../files/plain-file.ts";

/** What files are changed with. */
export interface ReplaceContext {
  readonly directory: string;
  readonly disk: Disk;
  readonly held: HeldLock;
}

/** The text that a change was based on, and the one that it puts there; `null` stands for no file. */
export interface Replacement {
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
  /** The text before: a file is held against it several times, and an index can be long. */
  readonly beforeBytes: Buffer | null;
}

export function createReplacement({ path, before, after }: Omit<Replacement, "bytesBefore">): Replacement {
  return { path, before, after, beforeBytes: before === null ? null : Buffer.from(before) };
}

/** Whether it was done, or somebody else had changed the file, which is then as they left it. */
export type ReplaceResult =
  | { readonly kind: "swapped" }
  | {
      readonly kind: "changed";
      /** Whether what was there before is kept aside, because somebody put another file in its place meanwhile. */
      readonly isAside: boolean;
    };

const CHANGED: ReplaceResult = { kind: "changed", isAside: false };
const KEPT_ASIDE: ReplaceResult = { kind: "changed", isAside: true };
const NO_HARD_LINKS = ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"];

/**
 * Puts a text in the place of another. Others write here without our lock, and a rename would overwrite what they put
 * there a moment before it. So what is there is moved aside, looked at, and only then is the new file linked to the
 * name, which fails when somebody took it: nobody's text is ever overwritten. The directory is for the caller to sync.
 */
export async function replaceFile(bench: ReplaceContext, swap: Replacement): Promise<ReplaceResult> {
  const { disk, held } = bench;
  const { path, beforeBytes: bytesBefore, after } = swap;
  const temporary = temporaryOf(path);
  // The lock is ours, so what is left there is of somebody who died.
  await removePlainFile(disk, temporary);
  if (isPlainFile(backupPath(path)) && !hasContent(backupPath(path), bytesBefore)) return KEPT_ASIDE;
  isPlainFile(path);
  if (!hasContent(path, bytesBefore)) return CHANGED;
  await removePlainFile(disk, backupPath(path));
  try {
    if (after !== null) await writeNewFile(disk, temporary, after);
    await held.assertHeld();
    const swapped = await exchange(disk, swap);
    if (swapped.kind === "changed") await removeQuietly(disk, temporary);
    return swapped;
  } catch (error) {
    // Whoever took the lock over uses these names now.
    if (!isLockLost(error)) await removeQuietly(disk, temporary);
    throw error;
  }
}

/** Whether another process was given the lock, because this one showed no sign of life for too long. */
export function isLockLost(error: unknown): boolean {
  return hasCode(error, "ELOST");
}

async function exchange(disk: Disk, { path, before, after, beforeBytes: bytesBefore }: Replacement): Promise<ReplaceResult> {
  if (before !== null && !(await moveAside(disk, path))) return CHANGED;
  if (before !== null && !hasContent(backupPath(path), bytesBefore)) {
    return (await restoreBackup(disk, path)) ? CHANGED : KEPT_ASIDE;
  }
  if (after === null) return { kind: "swapped" };
  try {
    if (await place(disk, path)) return { kind: "swapped" };
    return before === null ? CHANGED : KEPT_ASIDE;
  } catch (error) {
    if (before !== null && errorCode(error) !== undefined) await restoreBackup(disk, path);
    throw error;
  }
}

/** Whether something was there to be moved. */
async function moveAside(disk: Disk, path: string): Promise<boolean> {
  try {
    await disk.rename(path, backupPath(path));
    return true;
  } catch (error) {
    if (!hasCode(error, "ENOENT")) throw error;
    return false;
  }
}

/** Gives the new file its name; whether the name was free. */
async function place(disk: Disk, path: string): Promise<boolean> {
  const temporary = temporaryOf(path);
  try {
    await disk.link(temporary, path);
  } catch (error) {
    if (hasCode(error, "EEXIST")) return false;
    if (!hasCode(error, ...NO_HARD_LINKS)) throw error;
    // A file has only one name here, so the moment after this look is all that is left to others.
    if (isPlainFile(path)) return false;
    await disk.rename(temporary, path);
    return true;
  }
  await removeQuietly(disk, temporary);
  return true;
}

/** Gives what was moved aside its name back; whether the name was free. */
export async function restoreBackup(disk: Disk, path: string): Promise<boolean> {
  return await moveIfFree(disk, backupPath(path), path);
}

/** Takes a swap back; whether what it put there was still there. */
export async function rollBackFile(disk: Disk, { path, before, after }: Replacement): Promise<boolean> {
  const temporary = temporaryOf(path);
  if (after !== null) {
    if (!hasContent(path, after)) return false;
    await disk.rename(path, temporary);
    if (!hasContent(temporary, after)) {
      // Somebody changed it in this very moment: it stays, also when another one has its name by now.
      if (!(await moveIfFree(disk, temporary, path))) await saveConflictCopy(disk, temporary, path);
      return false;
    }
  }
  const isBack = before === null || (await restoreBackup(disk, path));
  if (after !== null) await removeQuietly(disk, temporary);
  return isBack;
}

function temporaryOf(path: string): string {
  return `${path}.tmp`;
}

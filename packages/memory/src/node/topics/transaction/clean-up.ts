import { join } from "node:path";
import { isStaleLock, removeQuietly } from "@caliban/common/node";
import { listFileNames, lstatUnlessMissing } from "../files/topic-files.ts";
import { findExternalChanges } from "../history/external-changes.ts";
import { recoverBackups } from "./recover-backups.ts";
import { type LockedStore, recordExternalChange } from "./store-context.ts";

/** Checks the whole directory before the first write of a process. Later writes know what they did. */
export async function cleanUp(locked: LockedStore): Promise<void> {
  await removeStaleFiles(locked);
  await recoverBackups(locked);
  const known = await locked.context.known.read();
  for (const file of await findExternalChanges(locked.directory, known)) {
    await recordExternalChange(locked, file);
  }
}

const TEMPORARY = /^[^.].*\.md(?:\.old)?\.tmp$/;
const BACKUP = /\.md\.old\.tmp$/;
const LOCK_PART = /^\.lock\./;

/** Whether a name is that of a file that exists only during a write. */
export function isStaleFile(name: string): boolean {
  return TEMPORARY.test(name);
}

/**
 * Removes the files of crashed writers, except backups, which may be the text of another program. We hold the lock, so
 * none of them is in use.
 */
async function removeStaleFiles({ directory, context }: LockedStore): Promise<void> {
  for (const name of listFileNames(directory).filter(isRemovable)) {
    const path = join(directory, name);
    const isStale = isStaleFile(name) || (await isStaleLock(path, context.machine));
    if (isStale && lstatUnlessMissing(path)?.isFile() === true)
      await removeQuietly(context.disk, path);
  }
}

function isRemovable(name: string): boolean {
  return (isStaleFile(name) && !BACKUP.test(name)) || LOCK_PART.test(name);
}

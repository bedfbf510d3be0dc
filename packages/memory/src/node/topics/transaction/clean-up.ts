import { join } from "node:path";
import { isStaleLock, type Machine, removeQuietly } from "@caliban/common/node";
import type { FileChange } from "../../../history/change.ts";
import { listFileNames, lstatUnlessMissing, readTopicFile } from "../files/topic-files.ts";
import { findExternalChanges } from "../history/external-changes.ts";
import { waitForSave } from "./external-save.ts";
import { recoverBackups } from "./recover-backups.ts";
import { type LockedStore, recordExternalChange } from "./store-context.ts";

/** Checks the whole directory before the first write of a process. Later writes know what they did. */
export async function cleanUp(locked: LockedStore): Promise<void> {
  await removeStaleFiles(locked);
  await recoverBackups(locked);
  const known = await locked.context.known.read();
  for (const file of await findExternalChanges(locked.directory, known)) {
    await recordSave(locked, file);
  }
}

/** Records the text that a program has saved, not one that it is about to complete. */
async function recordSave(locked: LockedStore, file: FileChange): Promise<void> {
  const { slug, before } = file;
  await waitForSave(locked, { slug, text: file.after });
  const now = await readTopicFile(locked.directory, slug);
  // It is skipped like any other unreadable file.
  if (now.kind === "refused") return;
  const after = now.kind === "text" ? now.text : null;
  if (after !== before) await recordExternalChange(locked, { slug, before, after });
}

const TEMPORARY = /^[^.].*\.md(?:\.old)?\.tmp$/;
const BACKUP = /\.md\.old\.tmp$/;
const LOCK_PART = /^\.lock\./;

/** The files that crashed writers left behind, guards of the lock among them. */
export async function findStaleFiles(
  directory: string,
  machine: Machine,
): Promise<readonly string[]> {
  const stale: string[] = [];
  for (const name of listFileNames(directory)) {
    const isStale =
      TEMPORARY.test(name) ||
      (LOCK_PART.test(name) && (await isStaleLock(join(directory, name), machine)));
    if (isStale) stale.push(name);
  }
  return stale;
}

/**
 * Removes the files of crashed writers, except backups, which may be the text of another program. We hold the lock, so
 * none of them is in use.
 */
async function removeStaleFiles({ directory, context }: LockedStore): Promise<void> {
  const stale = await findStaleFiles(directory, context.machine);
  for (const name of stale.filter((each) => !BACKUP.test(each))) {
    const path = join(directory, name);
    if (lstatUnlessMissing(path)?.isFile() === true) await removeQuietly(context.disk, path);
  }
}

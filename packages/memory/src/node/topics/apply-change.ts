import {
  type Disk,
  errorCode,
  hasCode,
  type HeldLock,
  removeIfThere,
  removeQuietly,
  tryTwice,
  writeNewFile,
} from "@caliban/common/node";
import type { FileChange } from "../../topic/change.ts";
import type { OpenChange } from "./history-log.ts";
import { indexPath, refusedFile, statsOf, topicPath } from "./topic-files.ts";

/** What a change is carried out with. */
export interface Workbench {
  readonly directory: string;
  readonly disk: Disk;
  readonly held: HeldLock;
  /** The change in the history, begun and not finished. */
  readonly open: OpenChange;
}

/**
 * Carries a change out: each topic, then the index, each on the disk before the next begins. When a step fails, the
 * ones before it are taken back, by renames alone, because a full disk allows no more. What cannot be taken back
 * stays in the history as unfinished, and the next writer finishes it.
 */
export async function applyChange(
  bench: Workbench,
  files: readonly FileChange[],
  index: IndexChange,
): Promise<void> {
  const trail: Trail = { undo: [], backups: [] };
  try {
    for (const { slug, before, after } of files) {
      const path = topicPath(bench.directory, slug);
      // oxlint-disable-next-line no-await-in-loop -- the order is the promise
      await (after === null
        ? removeFile(bench, path, trail)
        : replaceFile(bench, { path, before, after, trail }));
    }
    const path = indexPath(bench.directory);
    if (index.after !== index.before) await replaceFile(bench, { ...index, path, trail });
    // As young as the topics it is for: an older one would look as if somebody had edited them by hand.
    else await tryTwice(() => bench.disk.touch(path));
  } catch (error) {
    // Whoever took the lock over finishes the change; what is there now may be theirs.
    const isTakenBack = !isLost(error) && (await takeBack(bench, trail.undo));
    await (isTakenBack ? bench.open.cancel() : bench.open.leave());
    throw error;
  }
  await bench.open.finish();
  // oxlint-disable-next-line no-await-in-loop -- few
  for (const backup of trail.backups) await removeQuietly(bench.disk, backup);
}

/** The whole index before and after; `null` when there is none. */
export interface IndexChange {
  readonly before: string | null;
  readonly after: string;
}

interface Replacement extends IndexChange {
  readonly path: string;
  readonly trail: Trail;
}

/** The way back, the last step first, and what was kept for it. */
interface Trail {
  readonly undo: (() => Promise<void>)[];
  readonly backups: string[];
}

async function replaceFile(
  bench: Workbench,
  { path, before, after, trail }: Replacement,
): Promise<void> {
  const { disk, held, directory } = bench;
  const temporary = `${path}.tmp`;
  // The lock is ours, so what is left there is of somebody who died.
  await removePlainFile(disk, temporary);
  await removePlainFile(disk, backupOf(path));
  const isThere = isPlainFile(path);
  let isLinked = false;
  try {
    await writeNewFile(disk, temporary, after);
    await held.assertHeld();
    isLinked = isThere && (await keepBackup(disk, path));
    await disk.rename(temporary, path);
  } catch (error) {
    if (isLost(error)) throw error;
    await removeQuietly(disk, temporary);
    if (isLinked) await removeQuietly(disk, backupOf(path));
    throw error;
  }
  if (isLinked) trail.backups.push(backupOf(path));
  trail.undo.unshift(async () => {
    if (isLinked) return await disk.rename(backupOf(path), path);
    if (before === null) return await removeIfThere(disk, path);
    await writeNewFile(disk, temporary, before);
    await disk.rename(temporary, path);
  });
  await disk.syncDirectory(directory);
}

async function removeFile(bench: Workbench, path: string, trail: Trail): Promise<void> {
  const { disk, held, directory } = bench;
  await removePlainFile(disk, backupOf(path));
  if (!isPlainFile(path)) return;
  await held.assertHeld();
  await disk.rename(path, backupOf(path));
  trail.backups.push(backupOf(path));
  trail.undo.unshift(() => disk.rename(backupOf(path), path));
  await disk.syncDirectory(directory);
}

/** Whether another process was given the lock, because this one showed no sign of life for too long. */
function isLost(error: unknown): boolean {
  return hasCode(error, "ELOST");
}

/** A second name for what is there, under which it can be put back. Some file systems give a file only one. */
async function keepBackup(disk: Disk, path: string): Promise<boolean> {
  try {
    await disk.link(path, backupOf(path));
    return true;
  } catch (error) {
    if (hasCode(error, "ENOENT", "EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"))
      return false;
    throw error;
  }
}

/** Whether a file is there; whatever else has its name is refused. */
function isPlainFile(path: string): boolean {
  const stats = statsOf(path);
  if (stats === undefined) return false;
  if (stats.isSymbolicLink()) throw refusedFile(path, "it is a symbolic link");
  if (!stats.isFile()) throw refusedFile(path, "it is no plain file");
  return true;
}

function backupOf(path: string): string {
  return `${path}.old.tmp`;
}

async function removePlainFile(disk: Disk, path: string): Promise<void> {
  if (isPlainFile(path)) await disk.unlink(path);
}

/** Whether all of it could be taken back. */
async function takeBack(
  { disk, directory }: Workbench,
  undo: readonly (() => Promise<void>)[],
): Promise<boolean> {
  try {
    // oxlint-disable-next-line no-await-in-loop -- the last first
    for (const step of undo) await step();
    await disk.syncDirectory(directory);
    return true;
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return false;
  }
}

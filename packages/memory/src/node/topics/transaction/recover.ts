import type { Disk } from "@caliban/common/node";
import type { Change, FileChange } from "../../../history/change.ts";
import { indexAfter } from "../../../index-file/index-after.ts";
import type { TopicSlug } from "../../../topics/slug.ts";
import { hasContent, removePlainFile } from "../files/plain-file.ts";
import {
  backupPath,
  type IndexFile,
  indexPath,
  lstatUnlessMissing,
  readIndexFile,
  readTopicText,
  topicPath,
} from "../files/topic-files.ts";
import { applyChange, UNRECORDED } from "./apply-change.ts";
import { recoverIndexBackup } from "./recover-backups.ts";
import { restoreBackup } from "./replace-file.ts";
import type { LockedStore } from "./store-context.ts";

/** Completes a change left behind by a crashed writer. */
export async function recoverInterruptedChange(locked: LockedStore): Promise<void> {
  const { context, directory } = locked;
  const { history } = context;
  const change = await history.unfinished();
  if (change === undefined) return;
  context.isClean = false;
  await restoreBackups(change, { directory, disk: context.disk });
  const files = await Promise.all(change.files.map((file) => remainingChange(directory, file)));
  if (isComplete(await readIndexFile(directory), change)) return await history.finish(change.id);
  await applyChange(locked, {
    files: files.filter(({ before, after }) => before !== after),
    planIndex: (now) => plannedIndex({ change, files, now }),
    pending: { ...UNRECORDED, finish: () => history.finish(change.id) },
  });
}

/** The index after a change, made from the current one. */
export function plannedIndex({
  change: { index },
  files,
  now,
}: {
  readonly change: Change;
  readonly files: readonly FileChange[];
  readonly now: IndexFile;
}): string {
  return index !== undefined && now.raw === index.before
    ? index.after
    : indexAfter(now.text, files);
}

/** Moves backups of the crashed writer to their original names, so that each file is either old or new. */
async function restoreBackups(
  change: Change,
  { directory, disk }: { readonly directory: string; readonly disk: Disk },
): Promise<void> {
  for (const { slug, before, after } of change.files) {
    const path = topicPath(directory, slug);
    const isRecorded = hasContent(backupPath(path), before);
    // A removal that was completed stays completed.
    if (!(after === null && isRecorded)) await restoreIfLost(disk, path);
    // A text in the history needs no backup; any other text does.
    if (isRecorded) await removePlainFile(disk, backupPath(path));
  }
  // An index that the change itself replaced must not be merged.
  const index = indexPath(directory);
  const isReplaced = change.index !== undefined && lstatUnlessMissing(index) !== undefined;
  if (isReplaced && hasContent(backupPath(index), change.index.before))
    await removePlainFile(disk, backupPath(index));
  await recoverIndexBackup({ directory, disk });
}

async function restoreIfLost(disk: Disk, path: string): Promise<void> {
  const isLost =
    lstatUnlessMissing(path) === undefined && lstatUnlessMissing(backupPath(path)) !== undefined;
  if (isLost) await restoreBackup(disk, path);
}

/**
 * What is left to do for a file. A file that has neither the old nor the new text was changed by hand since then: it
 * stays. So does one with an unrecorded backup.
 */
async function remainingChange(
  directory: string,
  { slug, before, after }: FileChange,
): Promise<FileChange> {
  const now = await readTopicText(directory, slug);
  const isOpen = now === before && !hasUnrecordedBackup(directory, slug);
  return { slug, before: now, after: isOpen ? after : now };
}

function hasUnrecordedBackup(directory: string, slug: TopicSlug): boolean {
  return lstatUnlessMissing(backupPath(topicPath(directory, slug))) !== undefined;
}

/**
 * Whether new topics were completely written. The index comes last: if it has their lines, a missing file was deleted by
 * hand since then and must not come back.
 */
function isComplete({ raw, text }: IndexFile, { files, index }: Change): boolean {
  const areNew = files.every((file) => file.before === null && file.after !== null);
  if (!areNew) return false;
  return index === undefined ? indexAfter(text, files) === text : index.after === raw;
}

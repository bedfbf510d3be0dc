import type { Change, FileChange } from "../../../history/change.ts";
import { applyChange } from "./apply-change.ts";
import { indexAfter } from "../files/index-from-files.ts";
import { changedMeanwhile, type LockedBench, NO_CHANGE } from "./store-context.ts";
import { type IndexFile, readIndexFile, readTopicFile, backupPath, indexPath, statsOf, topicPath } from "../files/topic-files.ts";
import type { Disk } from "@caliban/common/node";
import type { TopicSlug } from "../../../topics/slug.ts";
import { hasContent, removePlainFile } from "../files/plain-file.ts";
import { recoverIndexBackup } from "./recover-backups.ts";
import { restoreBackup } from "./replace-file.ts";

/** Finishes what somebody began who is no more. */
export async function recoverInterruptedChange(bench: LockedBench): Promise<void> {
  const { state, directory, held } = bench;
  const { history, disk } = state;
  const change = await history.unfinished();
  if (change === undefined) return;
  state.isTidy = false;
  await restoreBackups(change, { directory, disk });
  const remaining = await remainingFiles(
    change,
    async (slug) => (await readTopicFile(directory, slug))?.text ?? null,
  );
  const files = remaining.map(({ slug, before, after }) => ({
    slug,
    before,
    after: hasUnrecordedBackup(directory, slug) ? before : after,
  }));
  const { raw: before, text } = await readIndexFile(directory);
  if (isMade({ raw: before, text }, change)) return await history.finish(change.id);
  const open = { ...NO_CHANGE, finish: () => history.finish(change.id) };
  const changed = files.filter((file) => file.before !== file.after);
  const applied = await applyChange({ directory, disk, held, open }, changed, (now) =>
    plannedIndex({ change, files, now }),
  );
  if (applied.kind === "changed") throw changedMeanwhile(applied.path);
}

/** The index that a change wants, made of the one that is there. */
export function plannedIndex({
  change,
  files,
  now,
}: {
  readonly change: Change;
  readonly files: readonly FileChange[];
  readonly now: IndexFile;
}): string {
  const { index } = change;
  return index !== undefined && now.raw === index.before
    ? index.after
    : indexAfter(now.text, files);
}

/**
 * Whether new topics were made to the end: the index comes last, so when it has their lines, a file that is missing
 * was deleted by hand since, and must not come back.
 */
function isMade({ raw: before, text }: IndexFile, { files, index }: Change): boolean {
  const areNew = files.every((file) => file.before === null && file.after !== null);
  if (!areNew) return false;
  return index === undefined ? indexAfter(text, files) === text : index.after === before;
}

/**
 * What is left to do of a change that somebody began and did not finish. A file that is neither as it was before nor
 * as it was to be was changed by hand since: it stays, and nothing of the change is forced on it.
 */
export async function remainingFiles(
  change: Change,
  readText: (slug: TopicSlug) => Promise<string | null>,
): Promise<readonly FileChange[]> {
  const files = await Promise.all(
    change.files.map(async ({ slug, before, after }) => {
      const now = await readText(slug);
      return { slug, before: now, after: now === before ? after : now };
    }),
  );
  return files;
}

/** Gives the files their names back that were moved aside when the writer died, so that each is old or new. */
export async function restoreBackups(
  change: Change,
  { directory, disk }: { readonly directory: string; readonly disk: Disk },
): Promise<void> {
  for (const { slug, before, after } of change.files) {
    const path = topicPath(directory, slug);
    const isOld = hasContent(backupPath(path), before);
    // One that was to go and is gone stays so.
    // oxlint-disable-next-line no-await-in-loop -- few
    if (!(after === null && isOld)) await restore(disk, path);
    // What stands in the history need not be kept aside; anything else does.
    // oxlint-disable-next-line no-await-in-loop
    if (isOld) await removePlainFile(disk, backupPath(path));
  }
  // The index that a change itself put another text in the place of is not one to be merged.
  const index = indexPath(directory);
  const isReplaced = change.index !== undefined && statsOf(index) !== undefined;
  if (isReplaced && hasContent(backupPath(index), change.index.before))
    await removePlainFile(disk, backupPath(index));
  await recoverIndexBackup({ directory, disk });
}

/** Whether something is kept aside that is in the history of nobody: then nothing is put in the place of what is there. */
export function hasUnrecordedBackup(directory: string, slug: TopicSlug): boolean {
  return statsOf(backupPath(topicPath(directory, slug))) !== undefined;
}

async function restore(disk: Disk, path: string): Promise<void> {
  const isLost = statsOf(path) === undefined && statsOf(backupPath(path)) !== undefined;
  if (isLost) await restoreBackup(disk, path);
}

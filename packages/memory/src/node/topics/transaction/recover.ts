import type { Change, FileChange } from "../../../history/change.ts";
import { applyChange } from "./apply-change.ts";
import { indexAfter } from "../files/index-from-files.ts";
import { changedMeanwhile, type LockedBench, NO_CHANGE } from "./store-context.ts";
import { type IndexFile, readIndexFile, readTopicFile, asidePath, indexPath, statsOf, topicPath } from "../files/topic-files.ts";
import type { Disk } from "@caliban/common/node";
import type { TopicSlug } from "../../../topics/slug.ts";
import { holdsText, removePlainFile } from "../files/plain-file.ts";
import { freeIndexAside } from "./recover-backups.ts";
import { putBack } from "./replace-file.ts";

/** Finishes what somebody began who is no more. */
export async function finishOthers(bench: LockedBench): Promise<void> {
  const { state, directory, held } = bench;
  const { history, disk } = state;
  const change = await history.unfinished();
  if (change === undefined) return;
  state.isTidy = false;
  await restoreAsides(change, { directory, disk });
  const remaining = await remainingFiles(
    change,
    async (slug) => (await readTopicFile(directory, slug))?.text ?? null,
  );
  const files = remaining.map(({ slug, before, after }) => ({
    slug,
    before,
    after: isContested(directory, slug) ? before : after,
  }));
  const { before, text } = await readIndexFile(directory);
  if (isMade({ before, text }, change)) return await history.finish(change.id);
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
  return index !== undefined && now.before === index.before
    ? index.after
    : indexAfter(now.text, files);
}

/**
 * Whether new topics were made to the end: the index comes last, so when it has their lines, a file that is missing
 * was deleted by hand since, and must not come back.
 */
function isMade({ before, text }: IndexFile, { files, index }: Change): boolean {
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
export async function restoreAsides(
  change: Change,
  { directory, disk }: { readonly directory: string; readonly disk: Disk },
): Promise<void> {
  for (const { slug, before, after } of change.files) {
    const path = topicPath(directory, slug);
    const isOld = holdsText(asidePath(path), before);
    // One that was to go and is gone stays so.
    // oxlint-disable-next-line no-await-in-loop -- few
    if (!(after === null && isOld)) await restore(disk, path);
    // What stands in the history need not be kept aside; anything else does.
    // oxlint-disable-next-line no-await-in-loop
    if (isOld) await removePlainFile(disk, asidePath(path));
  }
  // The index that a change itself put another text in the place of is not one to be merged.
  const index = indexPath(directory);
  const isReplaced = change.index !== undefined && statsOf(index) !== undefined;
  if (isReplaced && holdsText(asidePath(index), change.index.before))
    await removePlainFile(disk, asidePath(index));
  await freeIndexAside({ directory, disk });
}

/** Whether something is kept aside that is in the history of nobody: then nothing is put in the place of what is there. */
export function isContested(directory: string, slug: TopicSlug): boolean {
  return statsOf(asidePath(topicPath(directory, slug))) !== undefined;
}

async function restore(disk: Disk, path: string): Promise<void> {
  const isLost = statsOf(path) === undefined && statsOf(asidePath(path)) !== undefined;
  if (isLost) await putBack(disk, path);
}

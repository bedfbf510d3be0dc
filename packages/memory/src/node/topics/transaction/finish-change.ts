import type { Disk } from "@caliban/common/node";
import type { Change, FileChange } from "../../../history/change.ts";
import type { TopicSlug } from "../../../topics/slug.ts";
import { holdsText, removePlainFile } from "../files/plain-file.ts";
import { freeIndexAside } from "./recover-backups.ts";
import { putBack } from "./replace-file.ts";
import { asidePath, indexPath, statsOf, topicPath } from "../files/topic-files.ts";

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

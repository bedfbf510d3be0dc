import { mergeIndex } from "../../../index-file/merge-index.ts";
import { findExternalChanges } from "../history/external-changes.ts";
import { type LockedBench, record, writeIndex } from "./store-context.ts";
import { recoverBackups } from "./recover-backups.ts";
import { listFileNames, topicSlugs, statsOf } from "../files/topic-files.ts";
import { join } from "node:path";
import { type Disk, isStaleLock, type Machine, removeQuietly } from "@caliban/common/node";

/** The first time, the whole directory is looked through: later writes know what they did. */
export async function cleanUp(bench: LockedBench): Promise<void> {
  const { state, directory } = bench;
  const { history, disk } = state;
  await removeStaleFiles(directory, state);
  await recoverBackups({
    directory,
    disk,
    isRecorded: async (slug, text) =>
      (await history.read()).some(({ files }) =>
        files.some((file) => file.slug === slug && (file.before === text || file.after === text)),
      ),
    isRemoved: async (slug) => (await state.known.read()).get(slug) === null,
    record: (file) => record(bench, file),
    mergeIndex: async (text) => {
      const slugs = new Set(topicSlugs(listFileNames(directory)));
      await writeIndex(bench, (now) => mergeIndex(now.text, text, (slug) => slugs.has(slug)));
    },
  });
  for (const file of await findExternalChanges(directory, await state.known.read())) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other into one file
    await record(bench, file);
  }
}

const TEMPORARY = /^[^.].*\.md(?:\.old)?\.tmp$/;
const ASIDE = /\.md\.old\.tmp$/;
const LOCK_PART = /^\.lock\./;

/** Whether a name is of a file that is there only in the middle of a write. */
export function isStaleFile(name: string): boolean {
  return TEMPORARY.test(name);
}

/**
 * Removes what writers left behind who died, but for files that were moved aside, which may be somebody else's. The
 * lock is held, so none of it is in use.
 */
export async function removeStaleFiles(
  directory: string,
  { disk, machine }: { readonly disk: Disk; readonly machine: Machine },
): Promise<void> {
  for (const name of listFileNames(directory).filter(isOnTheWay)) {
    const path = join(directory, name);
    // oxlint-disable-next-line no-await-in-loop -- hardly ever more than one
    const isLeft = isStaleFile(name) || (await isStaleLock(path, machine));
    // oxlint-disable-next-line no-await-in-loop
    if (isLeft && statsOf(path)?.isFile() === true) await removeQuietly(disk, path);
  }
}

function isOnTheWay(name: string): boolean {
  return (isStaleFile(name) && !ASIDE.test(name)) || LOCK_PART.test(name);
}

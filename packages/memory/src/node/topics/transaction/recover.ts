import type { Change, FileChange } from "../../../history/change.ts";
import { applyChange } from "./apply-change.ts";
import { isContested, remainingFiles, restoreAsides } from "./finish-change.ts";
import { indexAfter } from "../files/index-from-files.ts";
import { changedMeanwhile, type LockedBench, NO_CHANGE } from "./store-context.ts";
import { type IndexFile, readIndexFile, readTopicFile } from "../files/topic-files.ts";

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

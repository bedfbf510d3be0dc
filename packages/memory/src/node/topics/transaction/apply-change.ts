import { errorCode, removeQuietly, tryTwice } from "@caliban/common/node";
import type { FileChange } from "../../../history/change.ts";
import type { PendingChange } from "../history/history-file.ts";
import { hasContent } from "../files/plain-file.ts";
import { isLockLost, type Replacement, type ReplaceContext, replaceFile, createReplacement, rollBackFile } from "./replace-file.ts";
import { backupPath, type IndexFile, indexPath, readIndexFile, topicPath } from "../files/topic-files.ts";

/** What a change is carried out with. */
export interface Workbench extends ReplaceContext {
  /** The change in the history, begun and not finished. */
  readonly open: PendingChange;
  /** The index as it was read a moment ago: it is held against the file anyway before anything takes its place. */
  readonly index?: IndexFile | undefined;
}

/** The whole index as a change wants it; `undefined` when it cannot be made of what is there now. */
export type PlanIndex = (index: IndexFile) => string | undefined;

/** What became of a change. When somebody else had changed a file meanwhile, all of it was taken back. */
export type Applied =
  | { readonly kind: "applied"; readonly index: string }
  | { readonly kind: "changed"; readonly path: string };

/** So often the index is made anew of what others made of it. */
const MOST_ATTEMPTS = 20;

/**
 * Carries a change out: each topic, then the index, each on the disk before the next begins. When a step fails, the
 * ones before it are taken back, without a byte written, because a full disk allows no more. What cannot be taken
 * back stays in the history as unfinished, and the next writer finishes it.
 */
export async function applyChange(
  bench: Workbench,
  files: readonly FileChange[],
  planIndex: PlanIndex,
): Promise<Applied> {
  const done: Replacement[] = [];
  try {
    const applied = await applyAll(bench, { files, planIndex, done });
    if (applied.kind === "changed") {
      await abandon(bench, done);
      return applied;
    }
    // Before the mark: as long as one of them is there, the history says whose it is.
    for (const swap of done.filter(({ before }) => before !== null)) {
      // oxlint-disable-next-line no-await-in-loop -- few
      await removeQuietly(bench.disk, backupPath(swap.path));
    }
    await bench.open.finish();
    return applied;
  } catch (error) {
    // Whoever took the lock over finishes the change; what is there now may be theirs.
    await (isLockLost(error) ? bench.open.abandon() : abandon(bench, done));
    throw error;
  }
}

interface Plan {
  readonly files: readonly FileChange[];
  readonly planIndex: PlanIndex;
  /** What was swapped so far. */
  readonly done: Replacement[];
}

async function applyAll(bench: Workbench, { files, planIndex, done }: Plan): Promise<Applied> {
  for (const { slug, before, after } of files) {
    const swap = createReplacement({ path: topicPath(bench.directory, slug), before, after });
    // oxlint-disable-next-line no-await-in-loop -- the order is the promise
    const { kind } = await replaceFile(bench, swap);
    if (kind === "changed") return { kind, path: swap.path };
    done.push(swap);
    // oxlint-disable-next-line no-await-in-loop
    await bench.disk.syncDirectory(bench.directory);
  }
  const applied = await swapIndex(bench, planIndex, done);
  // Somebody may have had a file open since before it was moved aside.
  const late = done.find(({ path, beforeBytes: bytesBefore }) => !hasContent(backupPath(path), bytesBefore));
  return late === undefined ? applied : { kind: "changed", path: late.path };
}

/** The lines of the topics are put into whatever others made of the index since it was read. */
async function swapIndex(bench: Workbench, planIndex: PlanIndex, done: Replacement[]): Promise<Applied> {
  const path = indexPath(bench.directory);
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
    const earlier = attempt === 0 ? bench.index : undefined;
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    const now = earlier ?? (await readIndexFile(bench.directory));
    const after = planIndex(now);
    if (after === undefined) break;
    if (after === now.raw) {
      // Nothing takes its place, so nothing would hold it against the file.
      if (earlier !== undefined) continue;
      // As young as the topics it is for: an older one would look as if somebody had edited them by hand.
      // oxlint-disable-next-line no-await-in-loop
      await tryTwice(() => bench.disk.touch(path));
      return { kind: "applied", index: after };
    }
    const swap = createReplacement({ path, before: now.raw, after });
    // oxlint-disable-next-line no-await-in-loop
    const swapped = await replaceFile(bench, swap);
    if (swapped.kind === "swapped") {
      done.push(swap);
      // oxlint-disable-next-line no-await-in-loop
      await bench.disk.syncDirectory(bench.directory);
      return { kind: "applied", index: after };
    }
    if (swapped.isAside) break;
  }
  return { kind: "changed", path };
}

/** Takes back what was done, the last first; what is left of it is for the next writer. */
async function abandon({ disk, directory, open }: Workbench, done: readonly Replacement[]): Promise<void> {
  let isTakenBack = true;
  try {
    for (const swap of done.toReversed()) {
      // oxlint-disable-next-line no-await-in-loop -- the last first
      isTakenBack = (await rollBackFile(disk, swap)) && isTakenBack;
    }
    if (done.length > 0) await disk.syncDirectory(directory);
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    isTakenBack = false;
  }
  await (isTakenBack ? open.cancel() : open.abandon());
}

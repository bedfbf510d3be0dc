import { errorCode, removeQuietly, tryTwice } from "@caliban/common/node";
import type { FileChange } from "../../../history/change.ts";
import { hasContent } from "../files/plain-file.ts";
import {
  backupPath,
  type IndexFile,
  indexPath,
  readIndexFile,
  topicPath,
} from "../files/topic-files.ts";
import type { PendingChange } from "../history/history-file.ts";
import { changedMeanwhile } from "./external-save.ts";
import {
  createReplacement,
  isLockLost,
  type Replacement,
  replaceFile,
  rollBackFile,
} from "./replace-file.ts";
import type { LockedStore } from "./store-context.ts";

/** A change to carry out. */
export interface PlannedChange {
  readonly files: readonly FileChange[];
  readonly planIndex: PlanIndex;
  /** The change in the history, started but not finished. */
  readonly pending: PendingChange;
  /** The index as it was just read. It is compared with the file anyway before it is replaced. */
  readonly knownIndex?: IndexFile | undefined;
}

/**
 * The new index, made from the current one; `null` if there is none and there will be none, `undefined` if the change
 * cannot be combined with it.
 */
export type PlanIndex = (index: IndexFile) => string | null | undefined;

/**
 * Carries out a change: each topic, then the index, each on disk before the next starts. If a step fails, the earlier
 * ones are rolled back without writing a byte, because a full disk allows no more. If even that fails, the change stays
 * unfinished in the history, and the next writer completes it.
 * @throws MemoryError `CHANGED_MEANWHILE` if another program changed a file; everything was rolled back
 */
export async function applyChange(locked: LockedStore, change: PlannedChange): Promise<void> {
  const applied = await applyOrRollBack(locked, change);
  if (applied.kind === "changed") throw changedMeanwhile(applied.path);
}

type Applied =
  | { readonly kind: "applied" }
  /** Another program changed this file. */
  | { readonly kind: "changed"; readonly path: string };

async function applyOrRollBack(locked: LockedStore, change: PlannedChange): Promise<Applied> {
  const { pending } = change;
  const done: Replacement[] = [];
  try {
    const applied = await applyAll(locked, change, done);
    if (applied.kind === "changed") {
      await rollBack(locked, pending, done);
      return applied;
    }
    // Before the mark: while a backup exists, the history must say whose it is.
    for (const replacement of done.filter(({ before }) => before !== null)) {
      locked.context.replaced.keep(replacement);
      await removeQuietly(locked.context.disk, backupPath(replacement.path));
    }
    await pending.finish();
    return applied;
  } catch (error) {
    // The process that took over the lock completes the change; the files may be its own by now.
    await (isLockLost(error) ? pending.abandon() : rollBack(locked, pending, done));
    throw error;
  }
}

/** Replaces only the index. It is derived from the topics, so the history does not record it. */
export async function replaceIndex(locked: LockedStore, planIndex: PlanIndex): Promise<void> {
  await applyChange(locked, { files: [], planIndex, pending: UNRECORDED });
}

/** For writes that are not recorded in the history. */
export const UNRECORDED: PendingChange = {
  finish: async () => undefined,
  cancel: async () => undefined,
  abandon: async () => undefined,
};

async function applyAll(
  locked: LockedStore,
  change: PlannedChange,
  done: Replacement[],
): Promise<Applied> {
  const { directory } = locked;
  for (const { slug, before, after } of change.files) {
    const replacement = createReplacement({ path: topicPath(directory, slug), before, after });
    const { kind } = await replaceFile(locked, replacement);
    if (kind === "changed") return { kind, path: replacement.path };
    done.push(replacement);
    await locked.context.disk.syncDirectory(directory);
  }
  const applied = await applyIndex(locked, change, done);
  // A program may have had a file open since before it became a backup.
  const late = done.find(({ path, beforeBytes }) => !hasContent(backupPath(path), beforeBytes));
  return late === undefined ? applied : { kind: "changed", path: late.path };
}

/** How often the new index is made again from what others wrote in the meantime. */
const MAX_ATTEMPTS = 20;

/** Adds the lines of the topics to the current index, even if others changed it since it was read. */
async function applyIndex(
  locked: LockedStore,
  { planIndex, knownIndex }: PlannedChange,
  done: Replacement[],
): Promise<Applied> {
  const { directory, context } = locked;
  const path = indexPath(directory);
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const known = attempt === 0 ? knownIndex : undefined;
    const now = known ?? (await readIndexFile(directory));
    const after = planIndex(now);
    if (after === undefined) break;
    if (after === now.raw) {
      // Nothing is replaced, so nothing would compare the known index with the file.
      if (known !== undefined) continue;
      // As new as its topics: otherwise they would look as if they had been edited by hand.
      if (after !== null) await tryTwice(() => context.disk.touch(path));
      return { kind: "applied" };
    }
    const replacement = createReplacement({ path, before: now.raw, after });
    const result = await replaceFile(locked, replacement);
    if (result.kind === "replaced") {
      done.push(replacement);
      await context.disk.syncDirectory(directory);
      return { kind: "applied" };
    }
    if (result.hasBackup) break;
  }
  return { kind: "changed", path };
}

/** Rolls back from the last step to the first. If something cannot be restored, the next writer completes the change. */
async function rollBack(
  { context: { disk }, directory }: LockedStore,
  pending: PendingChange,
  done: readonly Replacement[],
): Promise<void> {
  let isRestored = true;
  try {
    for (const replacement of done.toReversed()) {
      isRestored = (await rollBackFile(disk, replacement)) && isRestored;
    }
    if (done.length > 0) await disk.syncDirectory(directory);
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    isRestored = false;
  }
  await (isRestored ? pending.cancel() : pending.abandon());
}

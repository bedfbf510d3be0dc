import { join } from "node:path";
import { errorCode, withLock } from "@caliban/common/node";
import { isMemoryError, MemoryError } from "../../../errors.ts";
import type { Change, FileChange } from "../../../history/change.ts";
import { indexAfter } from "../../../index-file/index-after.ts";
import { reportUnwritable } from "../../report-unwritable.ts";
import { repairFromFiles } from "../files/index-from-files.ts";
import { type IndexFile, lstatUnlessMissing, refusedFileError } from "../files/topic-files.ts";
import {
  createKnownTexts,
  differenceFrom,
  findExternalChanges,
} from "../history/external-changes.ts";
import { applyChange, replaceIndex, UNRECORDED } from "./apply-change.ts";
import { cleanUp } from "./clean-up.ts";
import { assertUnchanged, waitForSave } from "./external-save.ts";
import { recordLateTexts } from "./late-texts.ts";
import { plannedIndex, recoverInterruptedChange } from "./recover.ts";
import {
  type LockedStore,
  openDirectory,
  recordExternalChange,
  type StoreContext,
} from "./store-context.ts";

/** A locked store in which every interrupted change was recovered. */
export interface Transaction extends LockedStore {
  /** The index, with a line for every topic. */
  readonly index: string;
  /** The index as it is on disk; `null` if there is none. */
  readonly rawIndex: string | null;
  /** Whether the index was just checked against the files, and may differ from the one on disk. */
  readonly isRepaired: boolean;
}

/** Runs an action with the lock held. The action runs again if another program changed a file in the middle of it. */
export async function transact<T>(
  context: StoreContext,
  action: (transaction: Transaction) => Promise<T>,
): Promise<T> {
  const result = await context.enqueue(() =>
    reportFailure(context.directory, () => runLocked(context, action)),
  );
  checkLater(context);
  return result;
}

/** How often a process that writes nothing looks for late texts. */
const LATE_CHECK_MS = 1_000;

/** Looks for texts that other programs write to the files that were just replaced, as long as this process runs. */
function checkLater(context: StoreContext): void {
  if (context.isChecking || context.replaced.isEmpty()) return;
  context.isChecking = true;
  setTimeout(() => {
    context.isChecking = false;
    void (context.replaced.hasLateTexts() ? recordNow(context) : checkLater(context));
  }, LATE_CHECK_MS).unref();
}

/** No one waits for this, so a failure is not reported; the texts are still there for the next write. */
async function recordNow(context: StoreContext): Promise<void> {
  try {
    await transact(context, async () => undefined);
  } catch (error) {
    if (!isMemoryError(error)) throw error;
  }
}

/** Records external changes to the topics; returns how many there were. */
export async function recordExternalChanges(context: StoreContext): Promise<number> {
  const directory = openDirectory(context);
  if (directory === undefined) return 0;
  // A reader takes no lock as long as there is nothing to record.
  const known = await createKnownTexts(context.history).read();
  const found = await findExternalChanges(directory, known);
  if (found.length === 0) return 0;
  context.isClean = false;
  const before = context.externalChanges;
  await transact(context, async () => undefined);
  return context.externalChanges - before;
}

async function runLocked<T>(
  context: StoreContext,
  action: (transaction: Transaction) => Promise<T>,
): Promise<T> {
  const { disk, machine, lockTiming } = context;
  if (openDirectory(context) === undefined) await disk.makeDirectory(context.directory);
  const directory = openDirectory(context);
  if (directory === undefined || lstatUnlessMissing(directory)?.isDirectory() !== true) {
    throw refusedFileError(context.directory, "it is not a directory");
  }
  if (!context.isClean) await context.prepare();
  const lockFile = { path: join(directory, ".lock"), disk, machine, timing: lockTiming };
  if (lstatUnlessMissing(lockFile.path)?.isSymbolicLink() === true) {
    throw refusedFileError(lockFile.path, "it is a symbolic link");
  }
  return await withLock(lockFile, async (lock) => {
    for (let attempt = 1; ; attempt++) {
      try {
        // Repeated only after an external change.
        return await action(await begin({ context, directory, lock }));
      } catch (error) {
        const isChanged = isMemoryError(error) && error.code === "CHANGED_MEANWHILE";
        if (!isChanged || attempt === MAX_ATTEMPTS) throw error;
        context.isClean = false;
      }
    }
  });
}

/** A program that changes a file in the middle of our write this often does nothing else. */
const MAX_ATTEMPTS = 20;

async function begin(locked: LockedStore): Promise<Transaction> {
  const { context, directory } = locked;
  await recoverInterruptedChange(locked);
  await context.history.trim();
  await recordLateTexts(locked);
  if (!context.isClean) await cleanUp(locked);
  const { raw, text } = await context.index.readIfChanged(directory);
  // A deleted index is rebuilt from all topics.
  const isKnown = context.isClean && raw !== null && raw.trim() !== "";
  const index = isKnown ? text : (await repairFromFiles(text, directory)).text;
  context.isClean = true;
  return { ...locked, index, rawIndex: raw, isRepaired: !isKnown };
}

export interface CommitInput {
  readonly files: readonly FileChange[];
  /** The change in the history, if it is recorded. */
  readonly record: Change | undefined;
  /** Left out if the index stays as it is. */
  readonly index?: { readonly text: string | undefined } | undefined;
}

/**
 * Carries out one change, completely or not at all. An index whose text is not known gets the lines of the changed
 * topics.
 */
export async function commit(
  transaction: Transaction,
  { files, record, index }: CommitInput,
): Promise<void> {
  const { context, lock, rawIndex } = transaction;
  await recordExternalChangesTo(files, transaction);
  await lock.assertHeld();
  const planIndex = (now: IndexFile): string | null => {
    if (index === undefined) return now.raw;
    if (now.raw !== rawIndex)
      return record === undefined
        ? indexAfter(now.text, files)
        : plannedIndex({ change: record, files, now });
    return record?.index?.after ?? index.text ?? indexAfter(transaction.index, files);
  };
  const pending = record === undefined ? UNRECORDED : await context.history.begin(record);
  const knownIndex = { raw: rawIndex, text: transaction.index };
  await applyChange(transaction, { files, pending, planIndex, knownIndex });
}

async function recordExternalChangesTo(
  files: readonly FileChange[],
  transaction: Transaction,
): Promise<void> {
  const known = await transaction.context.known.read();
  for (const { slug, before } of files) {
    const last = known.get(slug);
    const changes = await differenceFrom(last, { slug, after: before });
    if (last === undefined || changes.length > 0) {
      await waitForSave(transaction, { slug, text: before });
      assertUnchanged(transaction.directory, { slug, text: before });
    }
    for (const change of changes) await recordExternalChange(transaction, change);
  }
}

/** Writes only the index. */
export async function commitIndex(transaction: Transaction, text: string): Promise<void> {
  await replaceIndex(transaction, (now) => (now.raw === transaction.rawIndex ? text : undefined));
}

/** Turns failures of the lock and the disk into messages. */
async function reportFailure<T>(path: string, action: () => Promise<T>): Promise<T> {
  return await reportUnwritable(path, async () => {
    try {
      return await action();
    } catch (cause) {
      const code = errorCode(cause);
      if (!(cause instanceof Error) || isMemoryError(cause) || code === undefined) throw cause;
      if (code === "ELOCKED" || code === "ELOST") {
        throw new MemoryError("STORE_BUSY", cause.message, { cause });
      }
      if (code === "ENOTLOCK") throw new MemoryError("REFUSED_FILE", cause.message, { cause });
      throw cause;
    }
  });
}

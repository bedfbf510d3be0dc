import { join } from "node:path";
import { errorCode, realPathIfExists, withLock } from "@caliban/common/node";
import { MemoryError } from "../../../errors.ts";
import { type Change, type ChangeAction, type FileChange, lastTexts } from "../../../history/change.ts";
import type { Author } from "../../../store/topic-store.ts";
import { reportUnwritable } from "../../report-unwritable.ts";
import { applyChange } from "./apply-change.ts";
import { recoverInterruptedChange, plannedIndex } from "./recover.ts";
import { findExternalChanges, newChangeId, createKnownTexts } from "../history/external-changes.ts";
import { indexAfter, repairFromFiles } from "../files/index-from-files.ts";

import {
  changedMeanwhile,
  type LockedBench,
  record,
  type StoreAccessInput,
  type StoreState,
  writeIndex,
} from "./store-context.ts";
import { cleanUp } from "./clean-up.ts";
import { readIndexFile, refusedFileError, statsOf } from "../files/topic-files.ts";

/** The store while its lock is held. */
export interface LockedStore {
  /** The real path. */
  readonly directory: string;
  /** The index, with a line for every topic. */
  readonly index: string;
  /** The index as it is on the disk; `null` when there is none. */
  readonly rawIndex: string | null;
  /** Carries one change out, to the end or not at all. */
  readonly commit: (request: CommitRequest) => Promise<Committed>;
  /** Writes the index alone. */
  readonly commitIndex: (text: string) => Promise<void>;
}

interface CommitRequest {
  readonly action: ChangeAction;
  readonly author: Author;
  readonly files: readonly FileChange[];
  readonly of?: string | undefined;
  /** What the index is to be, where lines alone do not tell. */
  readonly index?: string | undefined;
}

interface Committed {
  /** The id of the change in the history. */
  readonly change: string;
  readonly index: string;
}

/** One writer at a time: in this process in the order of the calls, among all others by the lock. */
export interface StoreAccess {
  /** The action is done again when somebody without a lock changed a file in the middle of it. */
  readonly write: <T>(action: (store: LockedStore) => Promise<T>) => Promise<T>;
  /** Writes down what others did to the topics; how many they changed. */
  readonly notice: () => Promise<number>;
  /** The real path of the directory; `undefined` when there is none yet. */
  readonly directory: () => string | undefined;
}

export function createStoreAccess(input: StoreAccessInput): StoreAccess {
  const known = createKnownTexts(input.history);
  const state: StoreState = { ...input, known, real: undefined, isTidy: false, noticed: 0 };
  let last: Promise<unknown> = Promise.resolve();
  const write: StoreAccess["write"] = (action) => {
    const turn = last.then(() => reportFailure(input.directory, () => underLock(state, action)));
    last = turn.catch(() => undefined);
    return turn;
  };
  return {
    directory: () => openDirectory(state),
    write,
    notice: async () => {
      const directory = openDirectory(state);
      if (directory === undefined) return 0;
      // Whoever only looks takes no lock as long as there is nothing to write down.
      const found = await findExternalChanges(directory, lastTexts(await input.history.read()));
      if (found.length === 0) return 0;
      state.isTidy = false;
      const before = state.noticed;
      await write(async () => undefined);
      return state.noticed - before;
    },
  };
}

/** The directory may be a link, which a person chose; that it becomes another one in mid-session, nobody did. */
function openDirectory(state: StoreState): string | undefined {
  const real = realPathIfExists(state.directory);
  if (real === undefined) return undefined;
  if (state.real !== undefined && state.real !== real) {
    throw refusedFileError(state.directory, `it was ${state.real} before, and leads elsewhere now`);
  }
  state.real = real;
  return real;
}

async function underLock<T>(
  state: StoreState,
  action: (store: LockedStore) => Promise<T>,
): Promise<T> {
  const { disk, machine, lockTiming } = state;
  if (openDirectory(state) === undefined) await disk.makeDirectory(state.directory);
  const directory = openDirectory(state);
  if (directory === undefined || statsOf(directory)?.isDirectory() !== true) {
    throw refusedFileError(state.directory, "it is no directory");
  }
  if (!state.isTidy) await state.prepare();
  const lock = { path: join(directory, ".lock"), disk, machine, timing: lockTiming };
  if (statsOf(lock.path)?.isSymbolicLink() === true) {
    throw refusedFileError(lock.path, "it is a symbolic link");
  }
  return await withLock(lock, async (held) => {
    for (let attempt = 1; ; attempt++) {
      try {
        // oxlint-disable-next-line no-await-in-loop -- once more only when somebody came between
        return await attemptOnce({ state, directory, held }, action);
      } catch (error) {
        const isChanged = error instanceof MemoryError && error.code === "CHANGED_MEANWHILE";
        if (!isChanged || attempt === MOST_ATTEMPTS) throw error;
        state.isTidy = false;
      }
    }
  });
}

/** Somebody who changes a file in the middle of our write over and over does nothing else. */
const MOST_ATTEMPTS = 20;

async function attemptOnce<T>(
  bench: LockedBench,
  action: (store: LockedStore) => Promise<T>,
): Promise<T> {
  const { state, directory } = bench;
  await recoverInterruptedChange(bench);
  await state.history.trim(state.now());
  if (!state.isTidy) await cleanUp(bench);
  const { raw: before, text } = await readIndexFile(directory);
  // An index that somebody took away is made from all the topics again.
  const isKnown = state.isTidy && before !== null && before.trim() !== "";
  const index = isKnown ? text : (await repairFromFiles(text, directory)).text;
  state.isTidy = true;
  return await action({
    directory,
    index,
    rawIndex: before,
    commit: (request) => commit(bench, request, { before, index }),
    commitIndex: async (after) => {
      await writeIndex(bench, (now) => (now.raw === before ? after : undefined));
    },
  });
}

async function commit(
  bench: LockedBench,
  { action, author, files, of, index: wanted }: CommitRequest,
  { before, index }: { readonly before: string | null; readonly index: string },
): Promise<Committed> {
  const { state, directory, held } = bench;
  const { disk, history } = state;
  const known = await state.known.read();
  for (const file of files) {
    const last = known.get(file.slug);
    if (last === undefined || last === file.before) continue;
    // oxlint-disable-next-line no-await-in-loop -- one after the other into one file
    await record(bench, { slug: file.slug, before: last, after: file.before });
  }
  const change: Change = {
    id: newChangeId(),
    at: new Date(state.now()).toISOString(),
    who: author.who,
    ...(author.session === undefined ? {} : { session: author.session }),
    action,
    ...(of === undefined ? {} : { of }),
    files,
    ...(wanted === undefined ? {} : { index: { before, after: wanted } }),
  };
  await held.assertHeld();
  const open = await history.begin(change);
  const workbench = { directory, disk, held, open, index: { before, text: index } };
  const applied = await applyChange(workbench, files, (now) => {
    if (now.raw !== before) return plannedIndex({ change, files, now });
    return wanted ?? indexAfter(index, files);
  });
  if (applied.kind === "changed") throw changedMeanwhile(applied.path);
  return { change: change.id, index: applied.index };
}

/** What the lock and the disk say becomes a sentence. */
async function reportFailure<T>(path: string, action: () => Promise<T>): Promise<T> {
  return await reportUnwritable(path, async () => {
    try {
      return await action();
    } catch (cause) {
      const code = errorCode(cause);
      if (!(cause instanceof Error) || cause instanceof MemoryError || code === undefined)
        throw cause;
      if (code === "ELOCKED" || code === "ELOST") {
        throw new MemoryError("STORE_BUSY", cause.message, { cause });
      }
      if (code === "ENOTLOCK") throw new MemoryError("REFUSED_FILE", cause.message, { cause });
      throw cause;
    }
  });
}

import { join } from "node:path";
import {
  type Disk,
  errorCode,
  type HeldLock,
  type LockTiming,
  type Machine,
  realPathIfThere,
  withLock,
} from "@caliban/common/node";
import { MemoryError } from "../../errors.ts";
import type { Change, ChangeAction, FileChange } from "../../topic/change.ts";
import type { Author } from "../../topic/store.ts";
import { reportUnwritable } from "../report-unwritable.ts";
import { applyChange } from "./apply-change.ts";
import { remainingFiles } from "./finish-change.ts";
import type { HistoryLog } from "./history-log.ts";
import { indexAfter, repairFromFiles } from "./index-of-files.ts";
import { removeLeftovers } from "./leftovers.ts";
import { readIndexFile, readTopicFile, refusedFile, statsOf } from "./topic-files.ts";

export interface StoreAccessInput {
  readonly directory: string;
  readonly disk: Disk;
  readonly machine: Machine;
  readonly history: HistoryLog;
  readonly now: () => number;
  readonly lockTiming: Partial<LockTiming>;
  /** Called once, before the first write. */
  readonly prepare: () => Promise<void>;
}

/** The store while its lock is held. */
export interface LockedStore {
  /** The real path. */
  readonly directory: string;
  /** The index, with a line for every topic. */
  readonly index: string;
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
}

interface Committed {
  /** The id of the change in the history. */
  readonly change: string;
  readonly index: string;
}

/** One writer at a time: in this process in the order of the calls, among all others by the lock. */
export interface StoreAccess {
  readonly write: <T>(action: (store: LockedStore) => Promise<T>) => Promise<T>;
  /** The real path of the directory; `undefined` when there is none yet. */
  readonly directory: () => string | undefined;
}

export function createStoreAccess(input: StoreAccessInput): StoreAccess {
  const state: State = { ...input, real: undefined, isTidy: false };
  let last: Promise<unknown> = Promise.resolve();
  return {
    directory: () => openDirectory(state),
    write: (action) => {
      const turn = last.then(() => reportFailure(input.directory, () => underLock(state, action)));
      last = turn.catch(() => undefined);
      return turn;
    },
  };
}

interface State extends StoreAccessInput {
  real: string | undefined;
  /** Whether what others left behind was seen to. */
  isTidy: boolean;
}

/** The directory may be a link, which a person chose; that it becomes another one in mid-session, nobody did. */
function openDirectory(state: State): string | undefined {
  const real = realPathIfThere(state.directory);
  if (real === undefined) return undefined;
  if (state.real !== undefined && state.real !== real) {
    throw refusedFile(state.directory, `it was ${state.real} before, and leads elsewhere now`);
  }
  state.real = real;
  return real;
}

interface Bench {
  readonly state: State;
  readonly directory: string;
  readonly held: HeldLock;
}

async function underLock<T>(state: State, action: (store: LockedStore) => Promise<T>): Promise<T> {
  const { disk, machine, lockTiming } = state;
  if (openDirectory(state) === undefined) await disk.makeDirectory(state.directory);
  const directory = openDirectory(state);
  if (directory === undefined || statsOf(directory)?.isDirectory() !== true) {
    throw refusedFile(state.directory, "it is no directory");
  }
  if (!state.isTidy) await state.prepare();
  const lock = { path: join(directory, ".lock"), disk, machine, timing: lockTiming };
  if (statsOf(lock.path)?.isSymbolicLink() === true) {
    throw refusedFile(lock.path, "it is a symbolic link");
  }
  return await withLock(lock, async (held) => {
    const bench = { state, directory, held };
    await finishOthers(bench);
    await state.history.trim(state.now());
    const { before, text } = await readIndexFile(directory);
    // An index that somebody took away is made from all the topics again.
    const isKnown = state.isTidy && before !== null && before.trim() !== "";
    const index = isKnown ? text : await tidy(bench, text);
    state.isTidy = true;
    return await action({
      directory,
      index,
      commit: (request) => commit(bench, request, { before, index }),
      commitIndex: (after) =>
        applyChange({ directory, disk, held, open: NO_CHANGE }, [], { before, after }),
    });
  });
}

/** The index is made from the topics, so the history needs no record of it. */
const NO_CHANGE = {
  finish: async (): Promise<void> => undefined,
  cancel: async (): Promise<void> => undefined,
  leave: async (): Promise<void> => undefined,
};

/** Finishes what somebody began who is no more. */
async function finishOthers({ state, directory, held }: Bench): Promise<void> {
  const { history, disk } = state;
  const change = await history.unfinished();
  if (change === undefined) return;
  const files = await remainingFiles(
    change,
    async (slug) => (await readTopicFile(directory, slug))?.text ?? null,
  );
  const { before, text } = await readIndexFile(directory);
  if (isMade(text, change.files)) return await history.finish(change.id);
  const open = { ...NO_CHANGE, finish: () => history.finish(change.id) };
  const changed = files.filter((file) => file.before !== file.after);
  await applyChange({ directory, disk, held, open }, changed, {
    before,
    after: indexAfter(text, files),
  });
}

/**
 * Whether new topics were made to the end: the index comes last, so when it has their lines, a file that is missing
 * was deleted by hand since, and must not come back.
 */
function isMade(index: string, files: readonly FileChange[]): boolean {
  const areNew = files.every(({ before, after }) => before === null && after !== null);
  return areNew && indexAfter(index, files) === index;
}

/** The first time, the whole directory is looked through: later writes know what they did. */
async function tidy({ state, directory }: Bench, text: string): Promise<string> {
  await removeLeftovers(directory, state);
  return (await repairFromFiles(text, directory)).text;
}

async function commit(
  { state, directory, held }: Bench,
  { action, author, files, of }: CommitRequest,
  { before, index }: { readonly before: string | null; readonly index: string },
): Promise<Committed> {
  const { disk, history } = state;
  const change: Change = {
    id: crypto.randomUUID().slice(0, 8),
    at: new Date(state.now()).toISOString(),
    who: author.who,
    ...(author.session === undefined ? {} : { session: author.session }),
    action,
    ...(of === undefined ? {} : { of }),
    files,
  };
  const after = indexAfter(index, files);
  await held.assertHeld();
  const open = await history.begin(change);
  await applyChange({ directory, disk, held, open }, files, { before, after });
  return { change: change.id, index: after };
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

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
import { terminalSafeLine } from "@caliban/common";
import { MemoryError } from "../../errors.ts";
import { type Change, type ChangeAction, type FileChange, lastTexts } from "../../topic/change.ts";
import { mergeIndex } from "../../topic/merge-index.ts";
import type { Author } from "../../topic/store.ts";
import { reportUnwritable } from "../report-unwritable.ts";
import { applyChange, type PlanIndex } from "./apply-change.ts";
import { restoreAsides, remainingFiles } from "./finish-change.ts";
import { foreignChange, foreignChanges, newChangeId } from "./foreign-changes.ts";
import type { HistoryLog } from "./history-log.ts";
import { indexAfter, repairFromFiles } from "./index-of-files.ts";
import { createKnownTexts, type KnownTexts } from "./known-texts.ts";
import { removeLeftovers } from "./leftovers.ts";
import { settleAsides } from "./settle-asides.ts";
import {
  type IndexFile,
  namesIn,
  readIndexFile,
  readTopicFile,
  refusedFile,
  statsOf,
  topicSlugs,
} from "./topic-files.ts";

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
  const state: State = { ...input, known, real: undefined, isTidy: false, noticed: 0 };
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
      const found = await foreignChanges(directory, lastTexts(await input.history.read()));
      if (found.length === 0) return 0;
      state.isTidy = false;
      const before = state.noticed;
      await write(async () => undefined);
      return state.noticed - before;
    },
  };
}

interface State extends StoreAccessInput {
  readonly known: KnownTexts;
  real: string | undefined;
  /** Whether what others left behind was seen to. */
  isTidy: boolean;
  /** How many changes of others were written down. */
  noticed: number;
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
  bench: Bench,
  action: (store: LockedStore) => Promise<T>,
): Promise<T> {
  const { state, directory } = bench;
  await finishOthers(bench);
  await state.history.trim(state.now());
  if (!state.isTidy) await tidy(bench);
  const { before, text } = await readIndexFile(directory);
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
      await writeIndex(bench, (now) => (now.before === before ? after : undefined));
    },
  });
}

async function writeIndex(bench: Bench, planIndex: PlanIndex): Promise<void> {
  const { state, directory, held } = bench;
  const applied = await applyChange(
    { directory, disk: state.disk, held, open: NO_CHANGE },
    [],
    planIndex,
  );
  if (applied.kind === "changed") throw changedMeanwhile(applied.path);
}

/** The index is made from the topics, so the history needs no record of it. */
const NO_CHANGE = {
  finish: async (): Promise<void> => undefined,
  cancel: async (): Promise<void> => undefined,
  leave: async (): Promise<void> => undefined,
};

/** Finishes what somebody began who is no more. */
async function finishOthers(bench: Bench): Promise<void> {
  const { state, directory, held } = bench;
  const { history, disk } = state;
  const change = await history.unfinished();
  if (change === undefined) return;
  state.isTidy = false;
  await restoreAsides(change, { directory, disk });
  const files = await remainingFiles(
    change,
    async (slug) => (await readTopicFile(directory, slug))?.text ?? null,
  );
  const { before, text } = await readIndexFile(directory);
  if (isMade({ before, text }, change)) return await history.finish(change.id);
  const open = { ...NO_CHANGE, finish: () => history.finish(change.id) };
  const changed = files.filter((file) => file.before !== file.after);
  const applied = await applyChange({ directory, disk, held, open }, changed, (now) =>
    plannedIndex({ change, files, now }),
  );
  if (applied.kind === "changed") throw changedMeanwhile(applied.path);
}

function plannedIndex({
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

/** The first time, the whole directory is looked through: later writes know what they did. */
async function tidy(bench: Bench): Promise<void> {
  const { state, directory } = bench;
  const { history, disk } = state;
  await removeLeftovers(directory, state);
  await settleAsides({
    directory,
    disk,
    isRecorded: async (slug, text) =>
      (await history.read()).some(({ files }) =>
        files.some((file) => file.slug === slug && (file.before === text || file.after === text)),
      ),
    isRemoved: async (slug) => (await state.known.read()).get(slug) === null,
    record: (file) => record(bench, file),
    mergeIndex: async (text) => {
      const slugs = new Set(topicSlugs(namesIn(directory)));
      await writeIndex(bench, (now) => mergeIndex(now.text, text, (slug) => slugs.has(slug)));
    },
  });
  for (const file of await foreignChanges(directory, await state.known.read())) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other into one file
    await record(bench, file);
  }
}

/** Writes down what somebody else did, before anything of ours comes after it. */
async function record({ state, held }: Bench, file: FileChange): Promise<void> {
  await held.assertHeld();
  await state.history.record(foreignChange(file, new Date(state.now()).toISOString()));
  state.noticed++;
}

async function commit(
  bench: Bench,
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
  const applied = await applyChange({ directory, disk, held, open }, files, (now) => {
    if (now.before !== before) return plannedIndex({ change, files, now });
    return wanted ?? indexAfter(index, files);
  });
  if (applied.kind === "changed") throw changedMeanwhile(applied.path);
  return { change: change.id, index: applied.index };
}

function changedMeanwhile(path: string): MemoryError {
  const sentence = `${terminalSafeLine(path)} was changed by another program in the middle of the write, again and again; nothing of it was overwritten, so try again`;
  return new MemoryError("CHANGED_MEANWHILE", sentence);
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

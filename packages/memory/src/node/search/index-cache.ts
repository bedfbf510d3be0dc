import { setImmediate } from "node:timers/promises";
import { terminalSafeLine } from "@caliban/common";
import { type Disk, errorCode, hasCode, nodeDisk, removeQuietly } from "@caliban/common/node";
import { countEntries, entryNotes } from "../../search/live-index/entry-table.ts";
import type { SearchIndex } from "../../search/engine/search-index.ts";
import { openSnapshot, packSnapshot } from "../../search/live-index/snapshot.ts";
import {
  createLiveIndex,
  type LiveIndex,
  type RefreshedIndex,
} from "../../search/live-index/live-index.ts";
import type { NoteKeeper } from "../../search/live-index/note-keeper.ts";
import type { SearchSource } from "../../search/live-index/source.ts";
import { createSnapshotFile, readSnapshotFile, snapshotSize } from "./snapshot-file.ts";

export interface IndexCacheInput {
  /** The snapshot file. It may be deleted at any time. Nothing is saved if left out. */
  readonly file?: string | undefined;
  /** Each has its own name. */
  readonly sources: readonly SearchSource[];
  readonly disk?: Disk | undefined;
  readonly notes?: NoteKeeper | undefined;
  /** A file with words of the same texts. It is removed with what the index forgets, and may be missing. */
  readonly derivedFile?: string | undefined;
}

/** A live index that is kept from one process to the next. */
export interface IndexCache extends Pick<LiveIndex, "refresh" | "hasNotes"> {
  /** Refreshes the index, and loads what may be shown as a note. */
  readonly refreshNotes: () => Promise<void>;
  /** The notes of each entry, as one text, since the last refresh. */
  readonly packedNotes: () => Iterable<readonly [string, string]>;
  /**
   * The index as last known, without checking any source: for callers that cannot wait. `undefined` if there is none yet,
   * or if it would have to be loaded from a file of more than `maxBytes`.
   */
  readonly lastKnown: (maxBytes?: number) => SearchIndex | undefined;
  /** Stops reading for good: for processes that end while they build an index for the next one. */
  readonly stop: () => void;
  /** Resolves once nothing is being written: for commands that end. */
  readonly settled: () => Promise<void>;
}

/**
 * An index with a snapshot file, so that the next process does not read everything again. The snapshot is loaded on first
 * use; a damaged or foreign one is replaced. Any number of processes may share it.
 */
export function createIndexCache(input: IndexCacheInput): IndexCache {
  let opened: Opened | undefined;
  let isStopped = false;
  const open = (): Opened => (opened ??= openCache(input, () => isStopped));
  const refresh = async (): Promise<RefreshedIndex> => {
    const { live, saver } = open();
    const refreshed: RefreshedIndex = await live.refresh();
    const note = await saver.save();
    return note === undefined ? refreshed : { ...refreshed, notes: [...refreshed.notes, note] };
  };
  return {
    refresh,
    refreshNotes: async () => {
      open().live.followNotes();
      await refresh();
    },
    hasNotes: () => opened?.live.hasNotes() === true,
    packedNotes: () => (opened === undefined ? [] : packedNotesOf(opened.live)),
    lastKnown: (maxBytes = Infinity) => {
      const isLarge = opened === undefined && snapshotSize(input.file) > maxBytes;
      if (isLarge) return undefined;
      const { live } = open();
      return sizeOf(live) === 0 ? undefined : live.index;
    },
    stop: () => void (isStopped = true),
    settled: async () => await opened?.saver.settled(),
  };
}

function* packedNotesOf({ tables }: LiveIndex): Generator<readonly [string, string]> {
  for (const [name, table] of tables)
    for (const [key, packed] of entryNotes(table)) yield [`${name}:${key}`, packed];
}

/** The number of documents. */
function sizeOf({ tables }: LiveIndex): number {
  const { topics, turns } = countEntries(tables);
  return topics + turns;
}

interface Opened {
  readonly live: LiveIndex;
  readonly saver: Saver;
}

function openCache(
  { file, sources, disk = nodeDisk, notes, derivedFile }: IndexCacheInput,
  isStopped: () => boolean,
): Opened {
  const bytes = file === undefined ? undefined : readSnapshotFile(file);
  const known = bytes && openSnapshot(bytes, sources);
  const live = createLiveIndex({
    sources,
    known,
    notes,
    pause: async () => await setImmediate(),
    isStopped,
  });
  if (file === undefined) return { live, saver: NO_SAVER };
  const kept = known === undefined ? "nothing" : "this";
  const content = kept === "nothing" && snapshotSize(file) > 0 ? "something else" : kept;
  return { live, saver: createSaver(live, { file, disk, content, derivedFile }) };
}

/** Saves the index when that is worthwhile. */
interface Saver {
  /** Starts saving if necessary, without waiting for it. Returns a message, once, if saving failed. */
  readonly save: () => Promise<string | undefined>;
  readonly settled: () => Promise<void>;
}

const NO_SAVER: Saver = { save: async () => undefined, settled: async () => undefined };

/** With fewer changes than this, or than this share of all, reading again is cheaper than saving. */
const MIN_CHANGES = 20;
const MIN_CHANGED_SHARE = 0.02;

interface SnapshotState extends Pick<IndexCacheInput, "derivedFile"> {
  readonly file: string;
  readonly disk: Disk;
  /** The content of the file: the loaded index, or something that is not an index of these sources. */
  readonly content: "this" | "something else" | "nothing";
}

const NOTHING_CHANGED = { changed: 0, forgotten: 0 };

function createSaver(live: LiveIndex, { file, disk, content, derivedFile }: SnapshotState): Saver {
  let savedAt = content === "this" ? NOTHING_CHANGED : undefined;
  let writing: Promise<void> | undefined;
  let failure: string | undefined;
  let hasFailed = false;
  let isOpening = false;
  const isWorthwhile = (): boolean => {
    if (hasFailed || isOpening || writing !== undefined) return false;
    if (savedAt === undefined) return sizeOf(live) > 0 || content === "something else";
    // Removed or replaced texts must not stay in our snapshot.
    if (live.forgotten() > savedAt.forgotten) return true;
    const minChanges = Math.max(MIN_CHANGES, MIN_CHANGED_SHARE * sizeOf(live));
    return live.changed() - savedAt.changed >= minChanges;
  };
  const fail = (error: unknown): void => {
    const code = errorCode(error);
    if (code === undefined) throw error;
    hasFailed = true;
    failure = `Could not save the search index to ${terminalSafeLine(file)} (${code}); the next session reads everything again.`;
  };
  const startSaving = async (): Promise<void> => {
    const snapshot = await createSnapshotFile(file, disk);
    const isForgetting = live.forgotten() > (savedAt?.forgotten ?? 0);
    if (derivedFile !== undefined && isForgetting) await removeQuietly(disk, derivedFile);
    savedAt = { changed: live.changed(), forgotten: live.forgotten() };
    const parts = packSnapshot(live);
    writing = snapshot
      .write(parts)
      .catch((error: unknown) => {
        // The user removed the whole directory in the meantime.
        if (hasCode(error, "ENOENT")) savedAt = undefined;
        else fail(error);
      })
      .finally(() => (writing = undefined));
  };
  return {
    save: async () => {
      if (isWorthwhile()) {
        isOpening = true;
        await startSaving()
          .catch(fail)
          .finally(() => (isOpening = false));
      }
      const message = failure;
      failure = undefined;
      return message;
    },
    settled: async () => await writing,
  };
}

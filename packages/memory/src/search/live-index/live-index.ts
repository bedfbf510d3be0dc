import type { SearchedCounts } from "../results/results.ts";
import { createSearchIndex, type SearchIndex } from "../engine/search-index.ts";
import type { SearchSource } from "./source.ts";
import {
  collectProblems,
  countEntries,
  createEntryTables,
  entryNotes,
  type EntryTables,
} from "./entry-table.ts";
import { refreshSource } from "./refresh-source.ts";
import { NO_NOTE_KEEPER, type NoteKeeper } from "./note-keeper.ts";

export interface LiveIndexInput {
  readonly sources: readonly SearchSource[];
  /** The index to start with, such as a snapshot; empty if left out. */
  readonly known?: Pick<LiveIndex, "index" | "tables"> | undefined;
  /** Follows the sources as well, once `followNotes` was called. */
  readonly notes?: NoteKeeper | undefined;
  /** How many entries of a source are read concurrently; 4 if left out. */
  readonly concurrency?: number | undefined;
  /** Awaited regularly during long reads. */
  readonly pause?: (() => Promise<void>) | undefined;
  /** Checked between reads. Once it is true, nothing more is read. */
  readonly isStopped?: (() => boolean) | undefined;
}

/** An index that follows its sources. */
export interface LiveIndex {
  readonly index: SearchIndex;
  /** The entries of each source that are in the index. */
  readonly tables: EntryTables;
  /**
   * Lists every source, reads what changed and drops what no longer exists. A source or an entry that fails does not
   * affect the others. Simultaneous calls share one run.
   */
  readonly refresh: () => Promise<RefreshedIndex>;
  /** From the next refresh on, there are notes as well. */
  readonly followNotes: () => void;
  /** Whether a refresh that follows notes is complete. */
  readonly hasNotes: () => boolean;
  /** How many documents were added, removed or replaced since the start. */
  readonly changed: () => number;
  /** How often an entry was removed or replaced. */
  readonly forgotten: () => number;
}

/** An index that is up to date. */
export interface RefreshedIndex {
  readonly index: SearchIndex;
  readonly counts: SearchedCounts;
  /** What was left out, and why. Each is a full sentence. */
  readonly notes: readonly string[];
}

const DEFAULT_CONCURRENCY = 4;

export function createLiveIndex(input: LiveIndexInput): LiveIndex {
  const { sources, concurrency = DEFAULT_CONCURRENCY, pause = async () => undefined } = input;
  const { isStopped = () => false, notes: keeper = NO_NOTE_KEEPER } = input;
  const { index, tables } = input.known ?? {
    index: createSearchIndex(),
    tables: createEntryTables(sources),
  };
  let changed = 0;
  let forgotten = 0;
  let followsNotes = false;
  let isLoaded = false;
  let hasNotes = false;
  const refresh = async (): Promise<RefreshedIndex> => {
    const notes: string[] = [];
    if (followsNotes && !isLoaded) await loadNotes(tables, { keeper, pause });
    isLoaded ||= followsNotes;
    const { pack } = keeper;
    const followed = isLoaded ? keeper : { ...NO_NOTE_KEEPER, pack };
    for (const source of sources) {
      const table = tables.get(source.name);
      if (table === undefined) continue;
      const options = { concurrency, pause, isStopped };
      const refreshed = await refreshSource({ source, index, notes: followed, table, ...options });
      changed += refreshed.changed;
      forgotten += refreshed.forgotten;
      notes.push(...refreshed.notes);
    }
    // Without the last sessions, a note could show what they replace.
    if (isLoaded && !isStopped()) hasNotes = true;
    return { index, counts: countEntries(tables), notes: [...notes, ...collectProblems(tables)] };
  };
  return {
    index,
    tables,
    refresh: shareRuns(refresh),
    followNotes: () => void (followsNotes = true),
    hasNotes: () => hasNotes,
    changed: () => changed,
    forgotten: () => forgotten,
  };
}

const ENTRIES_PER_PAUSE = 200;

/** Reads the notes of a snapshot. */
async function loadNotes(
  tables: EntryTables,
  { keeper, pause }: { readonly keeper: NoteKeeper; readonly pause: () => Promise<void> },
): Promise<void> {
  let loaded = 0;
  for (const [name, table] of tables) {
    for (const [key, packed] of entryNotes(table)) {
      keeper.set(`${name}:${key}`, packed);
      // Yields to other work on purpose.
      if (++loaded % ENTRIES_PER_PAUSE === 0) await pause();
    }
  }
}

/** Calls that come before a run starts share it. Later ones wait for the next run, which sees everything changed since. */
function shareRuns<T>(action: () => Promise<T>): () => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  let waiting: Promise<T> | undefined;
  return () => {
    if (waiting !== undefined) return waiting;
    const start = async (): Promise<T> => {
      waiting = undefined;
      return await action();
    };
    waiting = last.then(start, start);
    last = waiting;
    return waiting;
  };
}

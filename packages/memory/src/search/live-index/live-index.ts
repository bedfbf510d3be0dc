import { createSearchIndex, type SearchIndex } from "../search-index.ts";
import { countEntries, createEntryTables, type EntryTables, collectProblems } from "./entry-table.ts";
import { refreshSource } from "./refresh-source.ts";
import type { SearchSource } from "../source.ts";
import type { SearchedCounts } from "../results.ts";

export interface LiveIndexInput {
  readonly sources: readonly SearchSource[];
  /** What is known already; nothing when left out. */
  readonly known?: IndexedEntries | undefined;
  /** How many files of a source are read side by side; 4 when left out. */
  readonly readsAtOnce?: number | undefined;
  /** Awaited now and then while much is read. */
  readonly pause?: (() => Promise<void>) | undefined;
  /** Asked between reads; from then on nothing more is read. */
  readonly isStopped?: (() => boolean) | undefined;
}

/** An index and the files that are in it. */
export interface IndexedEntries {
  readonly index: SearchIndex;
  readonly tables: EntryTables;
}

/** An index that follows its sources. */
export interface LiveIndex extends IndexedEntries {
  readonly refresh: () => Promise<RefreshedIndex>;
  /** How many documents came, went or were replaced since the beginning. */
  readonly changed: () => number;
  /** How many times a file was gone, or something else than it had been. */
  readonly forgotten: () => number;
}

export function createLiveIndex(input: LiveIndexInput): LiveIndex {
  const { sources, readsAtOnce = 4, pause = async () => undefined } = input;
  const { isStopped = () => false } = input;
  const { index, tables } = input.known ?? {
    index: createSearchIndex(),
    tables: createEntryTables(sources),
  };
  let changed = 0;
  let forgotten = 0;
  const look = async (): Promise<RefreshedIndex> => {
    const notes: string[] = [];
    for (const source of sources) {
      const table = tables.get(source.name);
      if (table === undefined) continue;
      // oxlint-disable-next-line no-await-in-loop -- they change one index
      const refreshed = await refreshSource({
        source,
        index,
        table,
        readsAtOnce,
        pause,
        isStopped,
      });
      changed += refreshed.changed;
      forgotten += refreshed.forgotten;
      notes.push(...refreshed.notes);
    }
    return { index, counts: countEntries(tables), notes: [...notes, ...collectProblems(tables)] };
  };
  return { index, tables, refresh: shared(look), changed: () => changed, forgotten: () => forgotten };
}

/** Calls that come before the action begins share it; those that come later wait for another, which sees what changed since. */
function shared<T>(action: () => Promise<T>): () => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  let waiting: Promise<T> | undefined;
  return () => {
    if (waiting !== undefined) return waiting;
    const begin = async (): Promise<T> => {
      waiting = undefined;
      return await action();
    };
    waiting = last.then(begin, begin);
    last = waiting;
    return waiting;
  };
}

/** An index over sources that is brought up to date before it is searched. */
export interface IndexCache {
  /**
   * Looks at every source, reads what was changed and forgets what is gone. A source or a file that fails takes none of
   * the others down. Calls in one moment share one look.
   */
  readonly refresh: () => Promise<RefreshedIndex>;
  /**
   * The index as it was known last, without a look at any source: for those who cannot wait. `undefined` where there is none
   * yet, and where it would have to be taken up from a file of more than `mostBytes`.
   */
  readonly lastKnown: (mostBytes?: number) => SearchIndex | undefined;
  /** Ends what reads files now, and reads none any more: for processes that end while an index is made for the next one. */
  readonly stop: () => void;
  /** Returns when nothing is being written any more: for commands that end. */
  readonly settled: () => Promise<void>;
}

/** An index as of now. */
export interface RefreshedIndex {
  readonly index: SearchIndex;
  readonly counts: SearchedCounts;
  /** What was left out, and why: whole sentences. */
  readonly notes: readonly string[];
}

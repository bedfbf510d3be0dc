import { setImmediate } from "node:timers/promises";
import { terminalSafeLine } from "@caliban/common";
import { type Disk, errorCode, hasCode, nodeDisk } from "@caliban/common/node";
import { countEntries } from "../../search/live-index/entry-table.ts";
import { openSnapshot, packSnapshot } from "../../search/live-index/snapshot.ts";
import { createLiveIndex, type LiveIndex, type RefreshedIndex, type IndexCache } from "../../search/live-index/live-index.ts";

import type { SearchSource } from "../../search/source.ts";
import { createSnapshotFile, readSnapshotFile, snapshotSize } from "./snapshot-file.ts";

export interface IndexCacheInput {
  /** Where the index is kept. It may be deleted at any time. Left out where nothing is to be kept. */
  readonly file?: string | undefined;
  /** Each with a name of its own. */
  readonly sources: readonly SearchSource[];
  readonly disk?: Disk | undefined;
}

/**
 * An index that is kept in a file, so that the next process need not read everything again. The file is taken up with
 * the first use; what is damaged or foreign is made anew. Any number of processes may share it.
 */
export function createIndexCache(input: IndexCacheInput): IndexCache {
  let opened: Opened | undefined;
  let isStopped = false;
  const open = (): Opened => (opened ??= openKept(input, () => isStopped));
  return {
    refresh: async () => {
      const { living, keeper } = open();
      const fresh: RefreshedIndex = await living.refresh();
      const note = await keeper.keep();
      return note === undefined ? fresh : { ...fresh, notes: [...fresh.notes, note] };
    },
    lastKnown: (mostBytes = Infinity) => {
      const isLarge = opened === undefined && snapshotSize(input.file) > mostBytes;
      if (isLarge) return undefined;
      const { living } = open();
      return sizeOf(living) === 0 ? undefined : living.index;
    },
    stop: () => void (isStopped = true),
    settled: async () => await opened?.keeper.settled(),
  };
}

/** How many documents there are. */
function sizeOf({ tables }: LiveIndex): number {
  const { topics, turns } = countEntries(tables);
  return topics + turns;
}

interface Opened {
  readonly living: LiveIndex;
  readonly keeper: Keeper;
}

function openKept(
  { file, sources, disk = nodeDisk }: IndexCacheInput,
  isStopped: () => boolean,
): Opened {
  const bytes = file === undefined ? undefined : readSnapshotFile(file);
  const known = bytes && openSnapshot(bytes, sources);
  const living = createLiveIndex({
    sources,
    known,
    pause: async () => await setImmediate(),
    isStopped,
  });
  if (file === undefined) return { living, keeper: NO_KEEPER };
  const kept = known === undefined ? "nothing" : "this";
  const there = kept === "nothing" && snapshotSize(file) > 0 ? "something else" : kept;
  return { living, keeper: createKeeper(living, { file, disk, there }) };
}

/** Writes the index when it is worth it. */
interface Keeper {
  /** Says once when there is no place to write. Does not wait for the writing. */
  readonly keep: () => Promise<string | undefined>;
  readonly settled: () => Promise<void>;
}

const NO_KEEPER: Keeper = { keep: async () => undefined, settled: async () => undefined };

/** Fewer new documents than this, or than this share of all, are read again rather than written. */
const LEAST_CHANGES = 20;
const LEAST_SHARE = 0.02;

interface KeptFile {
  readonly file: string;
  readonly disk: Disk;
  /** What stands in the file: the index that was taken up, or what is no index of these sources. */
  readonly there: "this" | "something else" | "nothing";
}

const AT_FIRST = { changed: 0, forgotten: 0 };

function createKeeper(living: LiveIndex, { file, disk, there }: KeptFile): Keeper {
  let keptAt = there === "this" ? AT_FIRST : undefined;
  let writing: Promise<void> | undefined;
  let failure: string | undefined;
  let isRefused = false;
  let isOpening = false;
  const isWorthIt = (): boolean => {
    if (isRefused || isOpening || writing !== undefined) return false;
    if (keptAt === undefined) return sizeOf(living) > 0 || there === "something else";
    // What somebody took away or changed is not to be found in a file of ours any longer.
    if (living.forgotten() > keptAt.forgotten) return true;
    const least = Math.max(LEAST_CHANGES, LEAST_SHARE * sizeOf(living));
    return living.changed() - keptAt.changed >= least;
  };
  const refuse = (error: unknown): void => {
    const code = errorCode(error);
    if (code === undefined) throw error;
    isRefused = true;
    failure = `The index of the search could not be kept in ${terminalSafeLine(file)} (${code}): the next session reads everything again.`;
  };
  const begin = async (): Promise<void> => {
    const snapshot = await createSnapshotFile(file, disk);
    keptAt = { changed: living.changed(), forgotten: living.forgotten() };
    const bytes = packSnapshot(living);
    writing = snapshot
      .write(bytes)
      .catch((error: unknown) => {
        // Somebody had all of it forgotten meanwhile.
        if (hasCode(error, "ENOENT")) keptAt = undefined;
        else refuse(error);
      })
      .finally(() => (writing = undefined));
  };
  return {
    keep: async () => {
      if (isWorthIt()) {
        isOpening = true;
        await begin()
          .catch(refuse)
          .finally(() => (isOpening = false));
      }
      const said = failure;
      failure = undefined;
      return said;
    },
    settled: async () => await writing,
  };
}

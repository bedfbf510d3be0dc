import type { Dirent } from "node:fs";
import { listEntries, statIfExists } from "@caliban/common/node";

/** The entries of a directory, and the names of those that lead elsewhere. */
export interface DirectoryListing {
  readonly entries: readonly Dirent[];
  readonly links: readonly string[];
  readonly directories: readonly string[];
}

/** Lists a directory; a missing one, or one that is not accessible, is empty. The same listing means that nothing has changed. */
export type ListDirectory = (directory: string) => DirectoryListing;

/** Lists directories, and remembers those that have not changed. */
export interface DirectoryLister {
  readonly list: ListDirectory;
  /** Makes it look again at every directory: since the last search, programs may have changed them. */
  readonly refresh: () => void;
}

interface KnownListing {
  readonly device: number;
  readonly inode: number;
  readonly changedMs: number;
  readonly listing: DirectoryListing;
  /** The search in which it was last found to be unchanged. */
  search: number;
}

const MAX_LISTINGS = 5_000;
/** The coarsest time stamps of file systems are two seconds apart. */
const SETTLED_MS = 2_500;
const EMPTY: DirectoryListing = { entries: [], links: [], directories: [] };

/**
 * Creates a lister for a workspace that is searched before and after every command. Adding, removing or renaming an entry
 * changes the change time of a directory, which no program can set.
 */
export function createDirectoryLister(): DirectoryLister {
  const known = new Map<string, KnownListing>();
  let search = 0;
  const list: ListDirectory = (directory) => {
    const last = known.get(directory);
    if (last?.search === search) return last.listing;
    const stats = statIfExists(directory);
    if (stats === undefined) return EMPTY;
    const { dev: device, ino: inode, ctimeMs: changedMs } = stats;
    if (last?.inode === inode && last.device === device && last.changedMs === changedMs) {
      last.search = search;
      return last.listing;
    }
    const listing = readDirectory(directory);
    // Another change within the same time stamp would go unnoticed.
    const isSettled = Date.now() - changedMs > SETTLED_MS;
    if (isSettled && known.size < MAX_LISTINGS) {
      known.set(directory, { device, inode, changedMs, listing, search });
    } else known.delete(directory);
    return listing;
  };
  return {
    list,
    refresh: () => {
      search += 1;
    },
  };
}

/** Lists a directory without remembering anything. */
export function readDirectory(directory: string): DirectoryListing {
  const entries = listEntries(directory);
  return {
    entries,
    links: entries.filter((entry) => entry.isSymbolicLink()).map(({ name }) => name),
    directories: entries.filter((entry) => entry.isDirectory()).map(({ name }) => name),
  };
}

import type { Dirent } from "node:fs";
import { listEntries, statIfExists } from "@caliban/common/node";

/** Lists the entries of a directory; none when it is missing or not accessible. */
export type ListDirectory = (directory: string) => readonly Dirent[];

interface Listing {
  readonly device: number;
  readonly inode: number;
  readonly changedMs: number;
  readonly entries: readonly Dirent[];
}

const MAX_LISTINGS = 5_000;
/** The coarsest time stamps of file systems are two seconds apart. */
const SETTLED_MS = 2_500;

/**
 * Creates a lister that remembers directories which have not changed: a workspace is searched before and after every
 * command. Adding, removing or renaming an entry changes the change time of a directory, which no program can set.
 */
export function createDirectoryLister(): ListDirectory {
  const known = new Map<string, Listing>();
  return (directory) => {
    const stats = statIfExists(directory);
    if (stats === undefined) return [];
    const { dev: device, ino: inode, ctimeMs: changedMs } = stats;
    const listing = known.get(directory);
    const isSame =
      listing?.inode === inode && listing.device === device && listing.changedMs === changedMs;
    if (isSame) return listing.entries;
    // Another change within the same time stamp would go unnoticed.
    const isSettled = Date.now() - changedMs > SETTLED_MS;
    const entries = listEntries(directory);
    if (isSettled && known.size < MAX_LISTINGS) {
      known.set(directory, { device, inode, changedMs, entries });
    } else known.delete(directory);
    return entries;
  };
}

import type { Dirent } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { errorCode } from "@caliban/common/node";

/** Where copies of source files are, which prove nothing. Hidden directories are left out as well. */
const SKIPPED = new Set(["build", "coverage", "dist", "node_modules", "out", "target", "vendor"]);
const MAX_ENTRIES = 20_000;
/** A network drive may take long for each directory. */
const MAX_MS = 2_000;

/** Lists the files of a workspace. Follows no links. */
export type ListFiles = (root: string) => Promise<readonly string[]>;

/** Creates a list of files, except in directories of dependencies and builds. Stops after many entries, or seconds. */
export function createFileList(now: () => number): ListFiles {
  return async (root) => {
    const startMs = now();
    const files: string[] = [];
    const directories = [root];
    let left = MAX_ENTRIES;
    for (const directory of directories) {
      // Also after the clock was set back.
      if (Math.abs(now() - startMs) > MAX_MS) return files;
      for (const entry of await entriesOf(directory)) {
        if (left-- <= 0) return files;
        const path = join(directory, entry.name);
        if (entry.isFile()) files.push(path);
        const isSearched = !entry.name.startsWith(".") && !SKIPPED.has(entry.name);
        if (entry.isDirectory() && isSearched) directories.push(path);
      }
    }
    return files;
  };
}

/** None if the directory cannot be listed. */
async function entriesOf(directory: string): Promise<readonly Dirent[]> {
  try {
    return await readdir(directory, { withFileTypes: true });
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return [];
  }
}

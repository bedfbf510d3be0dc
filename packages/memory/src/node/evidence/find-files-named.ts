import type { Dirent } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { errorCode } from "@caliban/common/node";

/** Where copies of source files are, which prove nothing. Hidden directories are left out as well. */
const SKIPPED = new Set(["build", "coverage", "dist", "node_modules", "out", "target", "vendor"]);
const MAX_ENTRIES = 20_000;
const MAX_FOUND = 20;

/** The files of a workspace with a name, except in directories of dependencies and builds. Follows no links. */
export async function findFilesNamed(name: string, root: string): Promise<readonly string[]> {
  const found: string[] = [];
  const directories = [root];
  let left = MAX_ENTRIES;
  for (const directory of directories) {
    for (const entry of await entriesOf(directory)) {
      if (left-- <= 0 || found.length === MAX_FOUND) return found;
      const path = join(directory, entry.name);
      if (entry.isFile() && entry.name === name) found.push(path);
      const isSearched = !entry.name.startsWith(".") && !SKIPPED.has(entry.name);
      if (entry.isDirectory() && isSearched) directories.push(path);
    }
  }
  return found;
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

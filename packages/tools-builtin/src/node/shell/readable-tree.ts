import { type Dirent, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import type { ReadTree } from "@caliban/agent-core";
import { errorCode } from "@caliban/common/node";

interface TreeWalk {
  /** Whether a path may be read, wherever it leads. */
  readonly canRead: (path: string) => boolean;
  readonly isSecret: (path: string) => boolean;
}

/** Larger trees are not searched for secrets: the user is asked instead. */
const MAX_ENTRIES = 5_000;

/** Whether everything that a wildcard or a recursive search can reach may be read. */
export function isTreeReadable(
  startDirectory: string,
  { path, levels, hasHidden }: ReadTree,
  { canRead, isSecret }: TreeWalk,
): boolean {
  const waiting = [{ directory: resolve(startDirectory, path), level: 1 }];
  let count = 0;
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { directory, level } = next;
    for (const entry of entriesOf(directory)) {
      count += 1;
      if (count > MAX_ENTRIES) return false;
      if (entry.name.startsWith(".") && !hasHidden) continue;
      const child = join(directory, entry.name);
      if (isSecret(entry.name) || (entry.isSymbolicLink() && !canRead(child))) return false;
      if (entry.isDirectory() && level < levels)
        waiting.push({ directory: child, level: level + 1 });
    }
  }
  return true;
}

/** None for what is not a directory, does not exist or cannot be listed: nothing in it is read either. */
function entriesOf(directory: string): readonly Dirent[] {
  try {
    return readdirSync(directory, { withFileTypes: true });
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return [];
  }
}

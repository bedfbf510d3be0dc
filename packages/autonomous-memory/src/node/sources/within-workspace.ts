import { lstatSync, readFileSync } from "node:fs";
import { dirname, join, resolve, sep } from "node:path";
import { errorCode, realPathIfExists } from "@caliban/common/node";
import type { AgentSourceInput } from "./agent-directory.ts";

const MAX_POINTER_BYTES = 4096;

/**
 * Whether a directory is the workspace or inside it, with symbolic links resolved; a missing one is judged by its path. A
 * nested repository is not part of the workspace around it, and a home directory contains no other workspace.
 */
export function isWithinWorkspace(
  directory: string | undefined,
  { home, workspaceRoot }: Pick<AgentSourceInput, "home" | "workspaceRoot">,
): boolean {
  if (directory === undefined || !isInside(directory, workspaceRoot)) return false;
  const root = realPathIfExists(workspaceRoot) ?? workspaceRoot;
  const real = realPathIfExists(directory) ?? directory;
  if (real === root || real === workspaceRoot) return true;
  return !isInside(home, workspaceRoot) && !isInOtherRepository(real, { root, workspaceRoot });
}

/** Whether a directory is another one or inside it, with symbolic links resolved; a missing one is judged by its path. */
export function isInside(directory: string, top: string): boolean {
  const root = realPathIfExists(top) ?? top;
  const real = realPathIfExists(directory);
  if (real !== undefined) return isWithin(real, root);
  return isWithin(directory, root) || isWithin(directory, top);
}

function isWithin(directory: string, root: string): boolean {
  // The root of a file system already ends with the separator.
  const inside = root.endsWith(sep) ? root : `${root}${sep}`;
  return directory === root || (directory.startsWith(inside) && !hasParentSegment(directory));
}

function hasParentSegment(directory: string): boolean {
  return directory.split(sep).includes("..");
}

function isInOtherRepository(
  directory: string,
  { root, workspaceRoot }: { readonly root: string; readonly workspaceRoot: string },
): boolean {
  for (let at = directory; at !== root && at !== workspaceRoot; at = dirname(at)) {
    if (isOtherRepository(at, root)) return true;
    if (dirname(at) === at) return false;
  }
  return false;
}

/** Whether there is a valid `.git`, unless it is a worktree of the repository at the root. */
function isOtherRepository(directory: string, root: string): boolean {
  const git = join(directory, ".git");
  try {
    const stats = lstatSync(git, { throwIfNoEntry: false });
    if (stats === undefined) return false;
    if (!stats.isFile())
      return lstatSync(join(git, "HEAD"), { throwIfNoEntry: false }) !== undefined;
    // A pointer to a directory is short.
    if (stats.size > MAX_POINTER_BYTES) return false;
    const pointer = /^gitdir: *(.+)/.exec(readFileSync(git, "utf8"))?.[1]?.trim();
    if (pointer === undefined) return false;
    return !isWithin(resolve(directory, pointer), join(root, ".git", "worktrees"));
  } catch (error) {
    // An inaccessible directory does not count as ours.
    if (errorCode(error) === undefined) throw error;
    return true;
  }
}

import { lstatSync, readFileSync } from "node:fs";
import { dirname, join, resolve, sep } from "node:path";
import { errorCode, realPathIfThere } from "@caliban/common/node";
import type { OtherAgentInput } from "./other-agent.ts";

const MAX_POINTER_BYTES = 4096;

/**
 * Whether a directory is a workspace or lies in it, wherever links lead; one that is gone is judged by its name. What is in
 * a repository of its own is not of the workspace around it, and a home directory is only itself.
 */
export function isWithinWorkspace(
  directory: string | undefined,
  { home, workspaceRoot }: Pick<OtherAgentInput, "home" | "workspaceRoot">,
): boolean {
  if (directory === undefined || !isBelow(directory, workspaceRoot)) return false;
  const root = realPathIfThere(workspaceRoot) ?? workspaceRoot;
  const real = realPathIfThere(directory) ?? directory;
  if (real === root || real === workspaceRoot) return true;
  return !isBelow(home, workspaceRoot) && !isInOtherRepository(real, { root, workspaceRoot });
}

/** Whether a directory is another one or lies in it, wherever links lead; one that is gone is judged by its name. */
export function isBelow(directory: string, top: string): boolean {
  const root = realPathIfThere(top) ?? top;
  const real = realPathIfThere(directory);
  if (real !== undefined) return isWithin(real, root);
  return isWithin(directory, root) || isWithin(directory, top);
}

function isWithin(directory: string, root: string): boolean {
  // The root of a file system ends with its separator already.
  const inside = root.endsWith(sep) ? root : `${root}${sep}`;
  return directory === root || (directory.startsWith(inside) && !hasWayUp(directory));
}

function hasWayUp(directory: string): boolean {
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

/** Whether there is a `.git` that git takes for one, unless it is a worktree of the repository at the root. */
function isOtherRepository(directory: string, root: string): boolean {
  const git = join(directory, ".git");
  try {
    const stats = lstatSync(git, { throwIfNoEntry: false });
    if (stats === undefined) return false;
    if (!stats.isFile())
      return lstatSync(join(git, "HEAD"), { throwIfNoEntry: false }) !== undefined;
    // What names a directory is short.
    if (stats.size > MAX_POINTER_BYTES) return false;
    const pointer = /^gitdir: *(.+)/.exec(readFileSync(git, "utf8"))?.[1]?.trim();
    if (pointer === undefined) return false;
    return !isWithin(resolve(directory, pointer), join(root, ".git", "worktrees"));
  } catch (error) {
    // What cannot be looked at is not ours.
    if (errorCode(error) === undefined) throw error;
    return true;
  }
}

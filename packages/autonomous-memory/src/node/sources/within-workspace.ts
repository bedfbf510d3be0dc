import { sep } from "node:path";
import { realPathIfThere } from "@caliban/common/node";

/** Whether a directory is a workspace or lies in it, wherever links lead; one that is gone is judged by its name. */
export function isWithinWorkspace(directory: string | undefined, workspaceRoot: string): boolean {
  if (directory === undefined) return false;
  const root = realPathIfThere(workspaceRoot) ?? workspaceRoot;
  const real = realPathIfThere(directory);
  if (real !== undefined) return isWithin(real, root);
  return isWithin(directory, root) || isWithin(directory, workspaceRoot);
}

function isWithin(directory: string, root: string): boolean {
  // The root of a file system ends with its separator already.
  const inside = root.endsWith(sep) ? root : `${root}${sep}`;
  return directory === root || (directory.startsWith(inside) && !hasWayUp(directory));
}

function hasWayUp(directory: string): boolean {
  return directory.split(sep).includes("..");
}

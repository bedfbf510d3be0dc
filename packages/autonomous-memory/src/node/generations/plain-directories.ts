import { join } from "node:path";
import { lstatIfExists } from "@caliban/common/node";

/** Whether a path is a directory, and not a symbolic link to one. */
export function isPlainDirectory(path: string): boolean {
  return lstatIfExists(path)?.isDirectory() === true;
}

/** Whether a directory and every part of the path below it are directories, and none of them a symbolic link. */
export function isPlainPath(directory: string, parts: readonly string[]): boolean {
  const paths = parts.map((_, index) => join(directory, ...parts.slice(0, index + 1)));
  return [directory, ...paths].every(isPlainDirectory);
}

import { lstatSync, type Stats } from "node:fs";
import { join } from "node:path";
import { errorCode } from "@caliban/common/node";

/** What is at a path, links not followed; `undefined` when nothing is, or nothing that can be looked at. */
export function lookAt(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return undefined;
  }
}

/** Whether a directory is there that is no link. */
export function isPlainDirectory(path: string): boolean {
  return lookAt(path)?.isDirectory() === true;
}

/** Whether a directory and every part of the way below it are directories, and none of them a link. */
export function isPlainWay(directory: string, parts: readonly string[]): boolean {
  const ways = parts.map((_, index) => join(directory, ...parts.slice(0, index + 1)));
  return [directory, ...ways].every(isPlainDirectory);
}

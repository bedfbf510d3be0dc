import { lstatSync, readlinkSync, realpathSync, type Stats } from "node:fs";
import { errorCode } from "./error-code.ts";

/**
 * Whether an open file is the one at a real path. A directory on the way can be exchanged for a link between the
 * look at the path and the opening; Linux tells what was opened, elsewhere the path is looked at again.
 */
export function isOpenedAt(descriptor: number, path: string, opened: Stats): boolean {
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`) === path;
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
  }
  const now = lstatSync(path);
  return now.ino === opened.ino && now.dev === opened.dev && realpathSync.native(path) === path;
}

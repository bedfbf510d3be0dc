import { readFileSync } from "node:fs";
import { errorCode, statIfExists } from "@caliban/common/node";

/** The size of a file that names another one. */
export const MAX_POINTER_BYTES = 4_096;

/** Returns an empty text for anything but a small regular file. */
export function readSmallFile(path: string, maxBytes: number = MAX_POINTER_BYTES): string {
  try {
    const stats = statIfExists(path);
    return stats?.isFile() === true && stats.size <= maxBytes ? readFileSync(path, "utf8") : "";
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return "";
  }
}

import { lstatSync } from "node:fs";
import type { Disk } from "./disk.ts";
import { errorCode, hasCode } from "./error-code.ts";

/** What a file system without hard links answers to `link`. */
export const NO_HARD_LINKS: readonly string[] = [
  "EPERM",
  "ENOTSUP",
  "EOPNOTSUPP",
  "ENOSYS",
  "EMLINK",
];

/**
 * Gives a file a second name; returns whether that name was free. A network file system may carry out a call and lose the
 * reply, so that the repeated call fails: then both names already belong to the same file.
 */
export async function linkIfFree(disk: Disk, existing: string, name: string): Promise<boolean> {
  try {
    await disk.link(existing, name);
    return true;
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    if (isSameFile(existing, name)) return true;
    if (hasCode(error, "EEXIST")) return false;
    throw error;
  }
}

function isSameFile(one: string, other: string): boolean {
  const [a, b] = [one, other].map((path) => identify(path));
  return a !== undefined && a === b;
}

function identify(path: string): string | undefined {
  try {
    const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false });
    return stats && `${stats.dev}:${stats.ino}`;
  } catch (error) {
    // The caller reports its own failure.
    if (errorCode(error) === undefined) throw error;
    return undefined;
  }
}

import { terminalSafeLine } from "@caliban/common";
import { errorCode } from "@caliban/common/node";
import { MemoryError, isMemoryError } from "../errors.ts";

/** What to do about a system error. */
const REMEDIES: Readonly<Record<string, string>> = {
  ENOSPC: "the disk is full; free some space",
  EDQUOT: "your disk quota is exceeded; free some space",
  EROFS: "the file system is read-only",
  EMFILE: "too many files are open; close some",
  ENFILE: "too many files are open; close some",
  ENOTDIR: "a parent of it is not a directory",
  EISDIR: "it is a directory; move it away",
};

/** Runs an action that writes, and turns a system error into one that names the path and a remedy. */
export async function reportUnwritable<T>(path: string, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (cause) {
    const code = errorCode(cause);
    if (isMemoryError(cause) || code === undefined) throw cause;
    const remedy = REMEDIES[code] ?? "check that you may write to its directory";
    const message = `cannot write ${terminalSafeLine(path)} (${code}): ${remedy}`;
    throw new MemoryError("UNWRITABLE", message, { cause });
  }
}

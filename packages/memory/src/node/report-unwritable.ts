import { terminalSafeLine } from "@caliban/common";
import { errorCode } from "@caliban/common/node";
import { MemoryError } from "../errors.ts";

/** What helps, by what the system says. */
const REMEDIES: Readonly<Record<string, string>> = {
  ENOSPC: "the disk is full; make room",
  EDQUOT: "your quota is used up; make room",
  EROFS: "the file system is read-only",
  EMFILE: "too many files are open; close some",
  ENFILE: "too many files are open; close some",
  ENOTDIR: "something on the way to it is no directory",
  EISDIR: "a directory has its name; move it away",
};

/** Runs an action that writes; what the system refuses becomes a sentence that names the place. */
export async function reportUnwritable<T>(path: string, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (cause) {
    const code = errorCode(cause);
    if (cause instanceof MemoryError || code === undefined) throw cause;
    const remedy = REMEDIES[code] ?? "check that its directory is yours to write";
    const sentence = `${terminalSafeLine(path)} cannot be written (${code}); ${remedy}`;
    throw new MemoryError("UNWRITABLE", sentence, { cause });
  }
}

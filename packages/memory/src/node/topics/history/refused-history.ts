import { terminalSafeLine } from "@caliban/common";
import { errorCode } from "@caliban/common/node";
import { MemoryError } from "../../../errors.ts";

/** The error code for a path that is not a regular file. */
export const NOT_A_FILE = "ENOTFILE";

/**
 * Runs an action on a file of the history, and explains why the file cannot be used.
 * @throws MemoryError `REFUSED_FILE`
 */
export function reportRefused<T>(path: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    if (errorCode(error) === "ELOOP") throw refusedHistory(path, "it is a symbolic link");
    if (errorCode(error) === NOT_A_FILE) throw refusedHistory(path, "it is not a regular file");
    throw error;
  }
}

export function refusedHistory(path: string, reason: string): MemoryError {
  const message = `cannot use the history ${terminalSafeLine(path)}: ${reason}; move it away`;
  return new MemoryError("REFUSED_FILE", message);
}

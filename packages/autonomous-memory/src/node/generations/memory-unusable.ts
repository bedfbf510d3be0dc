import { type CommandMessage, terminalSafeLine, withCommands } from "@caliban/common";
import { errorCode } from "@caliban/common/node";
import { PipelineError } from "../../run/errors.ts";

/** The error for a memory file that is invalid or not accessible. */
export function unusableMemory(
  path: string,
  reason: string | CommandMessage,
  cause?: unknown,
): PipelineError {
  const message = withCommands`${terminalSafeLine(path)}: ${reason}.`;
  return new PipelineError("MEMORY_UNUSABLE", message, { cause });
}

/** Runs an action on the memory; system errors and lock errors become `PipelineError`s. */
export async function explainSystemErrors<T>(
  directory: string,
  action: () => Promise<T>,
): Promise<T> {
  try {
    return await action();
  } catch (cause) {
    const code = errorCode(cause);
    if (!(cause instanceof Error) || code === undefined || !isSystemCode(code)) throw cause;
    if (code === "ELOCKED" || code === "ELOST") {
      throw new PipelineError("TRANSIENT", `${terminalSafeLine(cause.message)}.`, { cause });
    }
    const reason = REASONS[code] ?? `it cannot be written (${code}); check its permissions`;
    throw unusableMemory(directory, reason, cause);
  }
}

/** Whether a code is one of the operating system, and not of a library such as SQLite. */
export function isSystemCode(code: string): boolean {
  return /^E[A-Z0-9]+$/.test(code);
}

const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: "the disk is full; free some space",
  EDQUOT: "your disk quota is used up; free some space",
  EROFS: "the file system is read-only",
  ENOTLOCK: "its lock is not a regular file; move it elsewhere",
};

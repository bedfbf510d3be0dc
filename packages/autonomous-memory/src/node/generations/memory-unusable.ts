import { terminalSafeLine } from "@caliban/common";
import { errorCode } from "@caliban/common/node";
import { PipelineError } from "../../errors.ts";

/** A file of the memory that is not what it has to be. */
export function memoryUnusable(path: string, reason: string, cause?: unknown): PipelineError {
  return new PipelineError("MEMORY_UNUSABLE", `${terminalSafeLine(path)}: ${reason}.`, { cause });
}

/** Runs an action on the memory; what the system or the lock says becomes a sentence. */
export async function reportUnusable<T>(directory: string, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (cause) {
    const code = errorCode(cause);
    if (!(cause instanceof Error) || code === undefined || !isSystemCode(code)) throw cause;
    if (code === "ELOCKED" || code === "ELOST") {
      throw new PipelineError("TRANSIENT", `${terminalSafeLine(cause.message)}.`, { cause });
    }
    const reason = REASONS[code] ?? `the system says ${code}; check that it is yours to write`;
    throw memoryUnusable(directory, reason, cause);
  }
}

/** What others say by a code, such as a database, is theirs to explain. */
export function isSystemCode(code: string): boolean {
  return /^E[A-Z0-9]+$/.test(code);
}

const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: "the disk is full; make room",
  EDQUOT: "your quota is used up; make room",
  EROFS: "the file system is read-only",
  ENOTLOCK: "its lock is no plain file; move it away",
};

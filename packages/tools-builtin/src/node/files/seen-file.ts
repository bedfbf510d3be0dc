import { createHash } from "node:crypto";
import type { FileMark, FileSession } from "../file-session.ts";
import { FileToolError } from "../file-tool-error.ts";
import type { Located } from "../locate.ts";

/** Refuses to change a file that the model has not read as it is now. */
export function requireSeen(session: FileSession, located: Located, now: FileMark): void {
  const seen = session.seen.get(located.path);
  const { shown } = located;
  if (seen === undefined) {
    throw new FileToolError(
      "NOT_READ",
      `${shown} is there and was not read in this session, so nothing was changed. Read it first, then change it.`,
    );
  }
  if (isSame(seen, now)) return;
  throw new FileToolError(
    "CHANGED",
    `${shown} has changed since it was read, so nothing was changed. Read it again, then change it.`,
  );
}

/** What a file is right after it was written. */
export function markOfText(text: string, changedMs: number): FileMark {
  const bytes = Buffer.from(text);
  return {
    bytes: bytes.length,
    changedMs,
    sha256: createHash("sha256").update(bytes).digest("hex"),
  };
}

/** The same text is the same, whenever it was written. */
function isSame(a: FileMark, b: FileMark): boolean {
  if (a.sha256 !== undefined && b.sha256 !== undefined) return a.sha256 === b.sha256;
  return a.bytes === b.bytes && a.changedMs === b.changedMs;
}

import { createHash } from "node:crypto";
import { readSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import type { CancelSignal } from "@caliban/agent-core";
import type { FileFingerprint, ToolState } from "../tool-state.ts";
import { FileToolError } from "../file-tool-error.ts";
import type { OpenFile } from "./open-file.ts";
import type { ResolvedPath } from "../resolve-path.ts";

/** Takes the bytes of a file in order; says when it needs no more of them. */
export type ByteSink = (bytes: Buffer) => "more" | "enough";

const CHUNK_BYTES = 256 * 1024;
const CHUNKS_PER_BREATH = 16;
/** Beyond this, a file is read only as far as it is needed, and known by its size and time. */
const MOST_HASHED_BYTES = 64 * 1024 * 1024;

/** Reads a file piece by piece. The mark has a hash when the file was read to its end. */
export async function readFileChunks(
  { descriptor, stats }: OpenFile,
  sink: ByteSink,
  signal?: CancelSignal,
): Promise<{ readonly mark: FileFingerprint; readonly isWhole: boolean }> {
  const hash = createHash("sha256");
  const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, stats.size + 1));
  const mark = { bytes: stats.size, changedMs: stats.mtimeMs };
  let position = 0;
  for (let count = 1; ; count++) {
    const bytesRead = readSync(descriptor, chunk, 0, chunk.length, position);
    if (bytesRead === 0) break;
    const bytes = chunk.subarray(0, bytesRead);
    position += bytesRead;
    if (stats.size <= MOST_HASHED_BYTES) hash.update(bytes);
    const isEnough = sink(bytes) === "enough";
    if (isEnough && position > MOST_HASHED_BYTES) return { mark, isWhole: false };
    // oxlint-disable-next-line no-await-in-loop -- a large file is read in order, and others get their turn
    if (count % CHUNKS_PER_BREATH === 0) await setImmediate();
    if (signal?.aborted === true) throw new FileToolError("CANCELLED", "Reading was interrupted.");
  }
  const isHashed = stats.size <= MOST_HASHED_BYTES;
  return { mark: { ...mark, ...(isHashed ? { sha256: hash.digest("hex") } : {}) }, isWhole: true };
}

/** Refuses to change a file that the model has not read as it is now. */
export function requireSeen(session: ToolState, located: ResolvedPath, now: FileFingerprint): void {
  const seen = session.seenFiles.get(located.path);
  const { display: shown } = located;
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
export function fingerprintText(text: string, changedMs: number): FileFingerprint {
  const bytes = Buffer.from(text);
  return {
    bytes: bytes.length,
    modifiedMs: changedMs,
    sha256: createHash("sha256").update(bytes).digest("hex"),
  };
}

/** The same text is the same, whenever it was written. */
function isSame(a: FileFingerprint, b: FileFingerprint): boolean {
  if (a.sha256 !== undefined && b.sha256 !== undefined) return a.sha256 === b.sha256;
  return a.bytes === b.bytes && a.modifiedMs === b.modifiedMs;
}

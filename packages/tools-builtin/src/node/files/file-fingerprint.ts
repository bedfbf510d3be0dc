import { createHash } from "node:crypto";
import { readSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import type { CancelSignal } from "@caliban/agent-core";
import type { FileMark } from "../file-session.ts";
import { FileToolError } from "../file-tool-error.ts";
import type { OpenFile } from "./open-file.ts";

/** Takes the bytes of a file in order; says when it needs no more of them. */
export type ByteSink = (bytes: Buffer) => "more" | "enough";

const CHUNK_BYTES = 256 * 1024;
const CHUNKS_PER_BREATH = 16;
/** Beyond this, a file is read only as far as it is needed, and known by its size and time. */
const MOST_HASHED_BYTES = 64 * 1024 * 1024;

/** Reads a file piece by piece. The mark has a hash when the file was read to its end. */
export async function scanFile(
  { descriptor, stats }: OpenFile,
  sink: ByteSink,
  signal?: CancelSignal,
): Promise<{ readonly mark: FileMark; readonly isWhole: boolean }> {
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

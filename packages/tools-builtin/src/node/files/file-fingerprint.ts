import { createHash } from "node:crypto";
import { readSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import type { CancelSignal } from "@caliban/agent-core";
import { FileToolError } from "../file-tool-error.ts";
import type { ResolvedPath } from "../resolve-path.ts";
import type { FileFingerprint, ToolState } from "../tool-state.ts";
import type { OpenFile } from "./open-file.ts";

/** Takes the bytes of a file in order, and says when it needs no more. */
export type ByteSink = (bytes: Buffer) => "more" | "enough";

const CHUNK_BYTES = 256 * 1024;
const CHUNKS_PER_YIELD = 16;
/** A larger file is read only as far as needed, and identified by its size and modification time. */
const MAX_HASHED_BYTES = 64 * 1024 * 1024;

/** Reads a file chunk by chunk. The fingerprint has a hash if the file was read to its end. */
export async function readFileChunks(
  { descriptor, stats }: OpenFile,
  sink: ByteSink,
  signal?: CancelSignal,
): Promise<{ readonly fingerprint: FileFingerprint; readonly isComplete: boolean }> {
  const hash = createHash("sha256");
  const isHashed = stats.size <= MAX_HASHED_BYTES;
  const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, stats.size + 1));
  const fingerprint = { bytes: stats.size, modifiedMs: stats.mtimeMs };
  let position = 0;
  for (let count = 1; ; count++) {
    const bytesRead = readSync(descriptor, chunk, 0, chunk.length, position);
    if (bytesRead === 0) break;
    const bytes = chunk.subarray(0, bytesRead);
    position += bytesRead;
    if (isHashed) hash.update(bytes);
    const isEnough = sink(bytes) === "enough";
    if (isEnough && position > MAX_HASHED_BYTES) return { fingerprint, isComplete: false };
    // Lets other work run while a large file is read.
    if (count % CHUNKS_PER_YIELD === 0) await setImmediate();
    if (signal?.aborted === true) throw new FileToolError("CANCELLED", "Read was interrupted.");
  }
  return {
    fingerprint: { ...fingerprint, ...(isHashed ? { sha256: hash.digest("hex") } : {}) },
    isComplete: true,
  };
}

/** @throws FileToolError if the model has not read the file in its current state */
export function requireSeen(
  { seenFiles }: ToolState,
  { path, display }: ResolvedPath,
  current: FileFingerprint,
): void {
  const seen = seenFiles.get(path);
  if (seen === undefined) {
    throw new FileToolError(
      "NOT_READ",
      `${display} exists and was not read in this session, so nothing was changed. Read it first, then change it.`,
    );
  }
  if (isSameContent(seen, current)) return;
  throw new FileToolError(
    "CHANGED",
    `${display} has changed since it was read, so nothing was changed. Read it again, then change it.`,
  );
}

/** The fingerprint of a file that was just written. */
export function fingerprintText(text: string | Uint8Array, modifiedMs: number): FileFingerprint {
  const bytes = typeof text === "string" ? Buffer.from(text) : text;
  return {
    bytes: bytes.length,
    modifiedMs,
    sha256: createHash("sha256").update(bytes).digest("hex"),
  };
}

/** The modification time only matters if there is no hash. */
export function isSameContent(a: FileFingerprint, b: FileFingerprint): boolean {
  if (a.sha256 !== undefined && b.sha256 !== undefined) return a.sha256 === b.sha256;
  return a.bytes === b.bytes && a.modifiedMs === b.modifiedMs;
}

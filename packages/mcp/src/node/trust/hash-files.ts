import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { errorCode } from "@caliban/common/node";
import type { WatchedFile } from "./watched-files.ts";

// Every start of the server reads all of them.
const MAX_FILES = 64;
const MAX_BYTES = 256 * 1024 * 1024;
const CHUNK_BYTES = 1024 * 1024;

/** Each file with the SHA-256 of its bytes, or why they cannot be hashed. */
export async function hashFiles(
  files: readonly WatchedFile[],
): Promise<readonly (readonly [WatchedFile, string])[] | { readonly reason: string }> {
  if (files.length > MAX_FILES)
    return { reason: `it names ${files.length} files of the workspace (limit ${MAX_FILES})` };
  const hashes: (readonly [WatchedFile, string])[] = [];
  let remainingBytes = MAX_BYTES;
  for (const file of files) {
    // The remaining bytes depend on the files before.
    const hashed = await hashFile(file.realPath, remainingBytes);
    if ("reason" in hashed) return { reason: `${file.path} ${hashed.reason}` };
    remainingBytes -= hashed.bytes;
    hashes.push([file, hashed.sha256]);
  }
  return hashes;
}

type Hashed = { readonly sha256: string; readonly bytes: number } | { readonly reason: string };

async function hashFile(realPath: string, maxBytes: number): Promise<Hashed> {
  try {
    // A link may have replaced the file in the meantime, and opening a pipe must not block.
    const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
    const file = await open(realPath, flags);
    try {
      return await hashOpened(file, maxBytes);
    } finally {
      await file.close();
    }
  } catch (error) {
    const code = errorCode(error);
    if (code === undefined) throw error;
    return { reason: `cannot be read (${code})` };
  }
}

async function hashOpened(file: FileHandle, maxBytes: number): Promise<Hashed> {
  if (!(await file.stat()).isFile()) return { reason: "is no longer a file" };
  const hash = createHash("sha256");
  const buffer = Buffer.alloc(CHUNK_BYTES);
  for (let bytes = 0; ;) {
    const { bytesRead } = await file.read(buffer, 0, CHUNK_BYTES);
    if (bytesRead === 0) return { sha256: hash.digest("hex"), bytes };
    bytes += bytesRead;
    if (bytes > maxBytes)
      return { reason: `is too large: the limit is ${MAX_BYTES / 1024 / 1024} MiB of files` };
    hash.update(buffer.subarray(0, bytesRead));
  }
}

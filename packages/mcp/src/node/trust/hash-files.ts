import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { errorCode } from "@caliban/common/node";
import type { WatchedFile } from "./watched-files.ts";

const MOST_FILES = 64;
const MOST_BYTES = 256 * 1024 * 1024;
const CHUNK_BYTES = 1024 * 1024;

/** Each file with the SHA-256 of its bytes, or why they cannot be taken: more than this is not looked through at every start. */
export async function hashFiles(
  files: readonly WatchedFile[],
): Promise<readonly (readonly [WatchedFile, string])[] | { readonly reason: string }> {
  if (files.length > MOST_FILES)
    return {
      reason: `it names ${files.length} files of the workspace, and ${MOST_FILES} is the most`,
    };
  const hashes: (readonly [WatchedFile, string])[] = [];
  let room = MOST_BYTES;
  for (const file of files) {
    // One at a time: the room that is left depends on those before.
    // oxlint-disable-next-line no-await-in-loop
    const hashed = await hashFile(file.realPath, room);
    if ("reason" in hashed) return { reason: `${file.path} ${hashed.reason}` };
    room -= hashed.bytes;
    hashes.push([file, hashed.sha256]);
  }
  return hashes;
}

type Hashed = { readonly sha256: string; readonly bytes: number } | { readonly reason: string };

async function hashFile(realPath: string, room: number): Promise<Hashed> {
  try {
    // No link may have taken its place meanwhile, and a pipe must not make us wait.
    const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
    const file = await open(realPath, flags);
    try {
      return await hashOpened(file, room);
    } finally {
      await file.close();
    }
  } catch (error) {
    const code = errorCode(error);
    if (code === undefined) throw error;
    return { reason: `cannot be read (${code})` };
  }
}

async function hashOpened(file: FileHandle, room: number): Promise<Hashed> {
  if (!(await file.stat()).isFile()) return { reason: "is no longer a file" };
  const hash = createHash("sha256");
  const buffer = Buffer.alloc(CHUNK_BYTES);
  for (let bytes = 0; ;) {
    // In order, as a hash is made.
    // oxlint-disable-next-line no-await-in-loop
    const { bytesRead } = await file.read(buffer, 0, CHUNK_BYTES);
    if (bytesRead === 0) return { sha256: hash.digest("hex"), bytes };
    bytes += bytesRead;
    if (bytes > room)
      return { reason: `is too large: ${MOST_BYTES / 1024 / 1024} MiB of files is the most` };
    hash.update(buffer.subarray(0, bytesRead));
  }
}

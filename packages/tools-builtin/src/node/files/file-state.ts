import * as fs from "node:fs";
import { dirname } from "node:path";
import { errorCode, hasCode, isOpenFileAt, realPathIfExists } from "@caliban/common/node";
import { readFileChunks } from "./file-fingerprint.ts";

/** What is at a path at the moment. Links are never followed. */
export type FileState =
  | {
      readonly kind: "file";
      readonly sha256: string;
      readonly bytes: number;
      /** The permission bits. */
      readonly mode: number;
    }
  | { readonly kind: "absent" }
  | {
      readonly kind: "other";
      /** Completes "it is …". */
      readonly reason: string;
    };

/** Larger files are not read: they are not what a tool has written. */
const MAX_BYTES = 64 * 1024 * 1024;

/** Reads what is at a real path. `onBytes` receives the content of a file, in order. */
export async function readFileState(
  path: string,
  onBytes: (bytes: Uint8Array) => void = () => undefined,
): Promise<FileState> {
  const { O_RDONLY, O_NONBLOCK, O_NOFOLLOW } = fs.constants;
  let descriptor: number | undefined;
  try {
    // Without O_NONBLOCK, opening a named pipe would wait for a writer forever.
    descriptor = fs.openSync(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW);
    return await readOpenFile(path, descriptor, onBytes);
  } catch (error) {
    return stateOfFailure(path, error);
  } finally {
    if (descriptor !== undefined) fs.closeSync(descriptor);
  }
}

async function readOpenFile(
  path: string,
  descriptor: number,
  onBytes: (bytes: Uint8Array) => void,
): Promise<FileState> {
  const stats = fs.fstatSync(descriptor);
  if (stats.isDirectory()) return other("a directory now");
  if (!stats.isFile()) return other("not a regular file now");
  if (!isOpenFileAt(descriptor, path, stats)) return other(BEHIND_A_LINK);
  if (stats.size > MAX_BYTES) return other(`larger than ${MAX_BYTES / 1024 / 1024} MB now`);
  let bytes = 0;
  const { fingerprint } = await readFileChunks({ descriptor, stats }, (chunk) => {
    bytes += chunk.length;
    onBytes(chunk);
    return "more";
  });
  const { sha256 = "" } = fingerprint;
  return { kind: "file", sha256, bytes, mode: stats.mode & 0o7777 };
}

function stateOfFailure(path: string, error: unknown): FileState {
  const code = errorCode(error);
  if (code === undefined) throw error;
  if (code === "ENOENT") return isBehindLink(path) ? other(BEHIND_A_LINK) : { kind: "absent" };
  if (code === "ELOOP") return other("a symbolic link now");
  if (code === "ENOTDIR") return other("below a file that was a directory");
  if (hasCode(error, "EACCES", "EPERM")) return other("not readable now");
  if (code === "ENXIO") return other("not a regular file now");
  return other(`not readable now (${code})`);
}

/** Whether the part of the path that exists leads elsewhere. */
function isBehindLink(path: string): boolean {
  for (let parent = dirname(path); ; parent = dirname(parent)) {
    const real = realPathIfExists(parent);
    if (real !== undefined) return real !== parent;
    if (dirname(parent) === parent) return false;
  }
}

const BEHIND_A_LINK = "behind a symbolic link now";

function other(reason: string): FileState {
  return { kind: "other", reason };
}

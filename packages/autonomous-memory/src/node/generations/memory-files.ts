import {
  closeSync,
  constants,
  type Dirent,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
} from "node:fs";
import { join } from "node:path";
import { errorCode, hasCode } from "@caliban/common/node";
import { isSystemCode, unusableMemory } from "./memory-unusable.ts";

const MAX_FILES = 2_000;
const MAX_FILE_BYTES: number = 16 * 1024 * 1024;
const MAX_DEPTH = 12;
const FLAGS: number =
  constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);
// Left behind by editors and file managers.
const BACKUP_FILES =
  /~$|^\.(?:.*\.sw[a-z]|DS_Store|#.*)$|^#.*#$|^(?:Thumbs\.db|desktop\.ini|4913)$/;

/**
 * The sorted paths of all files in a directory, separated by `/`; none when it does not exist.
 * @throws PipelineError `MEMORY_UNUSABLE` when it contains a symbolic link or special file, or too many files
 */
export function listFiles(directory: string): readonly string[] {
  const found = walk(directory, "", MAX_DEPTH);
  if (found.length > MAX_FILES) {
    throw unusableMemory(directory, `it has ${found.length} files; move your own files elsewhere`);
  }
  return found.toSorted();
}

function walk(directory: string, parent: string, depth: number): readonly string[] {
  if (depth === 0)
    throw unusableMemory(join(directory, parent), "it is nested too deeply; move it elsewhere");
  return entriesOf(join(directory, parent)).flatMap((entry) => {
    const path = parent === "" ? entry.name : `${parent}/${entry.name}`;
    if (BACKUP_FILES.test(entry.name)) return [];
    if (entry.isDirectory()) return walk(directory, path, depth - 1);
    if (entry.isFile()) return [path];
    throw unusableMemory(join(directory, path), "it is not a regular file; move it elsewhere");
  });
}

function entriesOf(directory: string): readonly Dirent[] {
  if (!directoryExists(directory)) return [];
  try {
    return readdirSync(directory, { withFileTypes: true });
  } catch (error) {
    throw unreadable(directory, error);
  }
}

/**
 * Whether a directory exists.
 * @throws PipelineError `MEMORY_UNUSABLE` when the path is something else
 */
export function directoryExists(path: string): boolean {
  let stats;
  try {
    stats = lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    throw unreadable(path, error);
  }
  if (stats === undefined) return false;
  if (stats.isDirectory()) return true;
  throw unusableMemory(path, "it is not a directory; move it elsewhere");
}

/**
 * The content of a file; `undefined` when it does not exist.
 * @throws PipelineError `MEMORY_UNUSABLE`
 */
export function readBytes(path: string): FileContent | undefined {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(path, FLAGS);
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) throw unusableMemory(path, "it is not a regular file; move it elsewhere");
    if (stats.size > MAX_FILE_BYTES) {
      throw unusableMemory(path, `it is too large: ${stats.size} bytes`);
    }
    return { bytes: readFileSync(descriptor), mode: stats.mode };
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined;
    throw unreadable(path, error);
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

export interface FileContent {
  readonly bytes: Buffer;
  readonly mode: number;
}

/** The text of a file; empty when it does not exist. */
export function readText(path: string): string {
  return readBytes(path)?.bytes.toString("utf8") ?? "";
}

function unreadable(path: string, error: unknown): unknown {
  const code = errorCode(error);
  if (code === undefined || !isSystemCode(code)) return error;
  const reason = code === "ELOOP" ? "it is a symbolic link" : `it cannot be read (${code})`;
  return unusableMemory(path, reason, error);
}

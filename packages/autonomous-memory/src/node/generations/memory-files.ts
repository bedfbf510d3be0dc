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
import { isSystemCode, memoryUnusable } from "./memory-unusable.ts";

const MAX_FILES = 2_000;
const MAX_FILE_BYTES: number = 16 * 1024 * 1024;
const MAX_DEPTH = 12;
const FLAGS: number =
  constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);
// What editors and file managers leave beside a file.
const LEFT_BY_PROGRAMS =
  /~$|^\.(?:.*\.sw[a-z]|DS_Store|#.*)$|^#.*#$|^(?:Thumbs\.db|desktop\.ini|4913)$/;

/**
 * The paths of all files below a directory, in one order, with `/` between their parts; none when it is not there.
 * @throws PipelineError `MEMORY_UNUSABLE` when a part of it is a link or no file, or when there are too many
 */
export function filesBelow(directory: string): readonly string[] {
  const found = walk(directory, "", MAX_DEPTH);
  if (found.length > MAX_FILES) {
    throw memoryUnusable(directory, `it has ${found.length} files; move what is yours elsewhere`);
  }
  return found.toSorted();
}

function walk(directory: string, way: string, depth: number): readonly string[] {
  if (depth === 0) throw memoryUnusable(join(directory, way), "it is too deep; move it elsewhere");
  return entriesOf(join(directory, way)).flatMap((entry) => {
    const path = way === "" ? entry.name : `${way}/${entry.name}`;
    if (LEFT_BY_PROGRAMS.test(entry.name)) return [];
    if (entry.isDirectory()) return walk(directory, path, depth - 1);
    if (entry.isFile()) return [path];
    throw memoryUnusable(join(directory, path), "it is a link or no plain file; move it away");
  });
}

function entriesOf(directory: string): readonly Dirent[] {
  if (!isDirectoryOrMissing(directory)) return [];
  try {
    return readdirSync(directory, { withFileTypes: true });
  } catch (error) {
    throw unreadable(directory, error);
  }
}

/**
 * Whether a directory is there.
 * @throws PipelineError `MEMORY_UNUSABLE` when something else is
 */
export function isDirectoryOrMissing(path: string): boolean {
  let stats;
  try {
    stats = lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    throw unreadable(path, error);
  }
  if (stats === undefined) return false;
  if (stats.isDirectory()) return true;
  throw memoryUnusable(path, "it is a link or no directory; move it away");
}

/**
 * The bytes of a file; `undefined` when it is not there.
 * @throws PipelineError `MEMORY_UNUSABLE`
 */
export function readBytes(path: string): MemoryFile | undefined {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(path, FLAGS);
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) throw memoryUnusable(path, "it is no plain file; move it away");
    if (stats.size > MAX_FILE_BYTES) {
      throw memoryUnusable(path, `it has ${stats.size} bytes, too many for a memory`);
    }
    return { bytes: readFileSync(descriptor), mode: stats.mode };
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined;
    throw unreadable(path, error);
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

export interface MemoryFile {
  readonly bytes: Buffer;
  readonly mode: number;
}

/** The text of a file; empty when it is not there. */
export function readText(path: string): string {
  return readBytes(path)?.bytes.toString("utf8") ?? "";
}

function unreadable(path: string, error: unknown): unknown {
  const code = errorCode(error);
  if (code === undefined || !isSystemCode(code)) return error;
  const reason = code === "ELOOP" ? "it is a symbolic link" : `it cannot be read (${code})`;
  return memoryUnusable(path, reason, error);
}

import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { errorCode } from "@caliban/common/node";

/** More than an index of several hundred thousand topics. */
const MAX_FILE_BYTES = 256 * 1024 ** 2;

/** A file of a cache that is read in parts. */
export interface FileReader {
  readonly size: number;
  readonly modifiedMs: number;
  /** Some bytes, or fewer where the file ends. They start at a multiple of eight in their buffer. */
  readonly read: (offset: number, length: number) => Uint8Array;
  readonly close: () => void;
}

/** Opens a file to read parts of it; `undefined` if it is none that can be used. Links are not followed. */
export function openFileReader(path: string): FileReader | undefined {
  let descriptor: number | undefined;
  try {
    // Without O_NONBLOCK, opening a named pipe would wait for a writer forever.
    const noLinks = constants.O_NOFOLLOW ?? 0;
    const opened = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | noLinks);
    descriptor = opened;
    const stats = fstatSync(opened);
    if (stats.isFile() && stats.size <= MAX_FILE_BYTES) {
      descriptor = undefined;
      return {
        size: stats.size,
        modifiedMs: stats.mtimeMs,
        read: (offset, length) =>
          readAt(opened, offset, Math.max(0, Math.min(length, stats.size - offset))),
        close: () => closeSync(opened),
      };
    }
    return undefined;
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return undefined;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

function readAt(descriptor: number, offset: number, size: number): Uint8Array {
  // Not from the buffer pool, where the arrays would not be aligned.
  const bytes = Buffer.allocUnsafeSlow(size);
  let end = 0;
  while (end < size) {
    const count = readSync(descriptor, bytes, end, size - end, offset + end);
    if (count === 0) break;
    end += count;
  }
  return bytes.subarray(0, end);
}

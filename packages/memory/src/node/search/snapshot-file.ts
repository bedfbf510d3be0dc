import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { type Disk, errorCode, removeQuietly, tryTwice } from "@caliban/common/node";
import { isSnapshotHead, SNAPSHOT_HEAD_BYTES } from "../../search/live-index/snapshot.ts";

/** More than an index of several hundred thousand topics. */
const MOST_BYTES = 256 * 1024 ** 2;

/**
 * The bytes of a snapshot; `undefined` where there is none that may be read. A link is no snapshot of ours, and of what does not
 * begin like one nothing more is read.
 */
export function readSnapshotFile(path: string): Uint8Array | undefined {
  let descriptor: number | undefined;
  try {
    // Without O_NONBLOCK, opening a named pipe waits for a writer for ever.
    const noLinks = constants.O_NOFOLLOW ?? 0;
    descriptor = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | noLinks);
    const stats = fstatSync(descriptor);
    if (!stats.isFile() || stats.size > MOST_BYTES) return undefined;
    const head = readStart(descriptor, Math.min(stats.size, SNAPSHOT_HEAD_BYTES));
    return isSnapshotHead(head) ? readStart(descriptor, stats.size) : undefined;
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return undefined;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** How many bytes there are to read; none where there is no file. */
export function snapshotSize(path: string | undefined): number {
  try {
    return (path && lstatSync(path, { throwIfNoEntry: false })?.size) || 0;
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return 0;
  }
}

function readStart(descriptor: number, size: number): Uint8Array {
  // Not from the pool of small buffers, where arrays could not lie where they need to.
  const bytes = Buffer.allocUnsafeSlow(size);
  let end = 0;
  while (end < size) {
    const count = readSync(descriptor, bytes, end, size - end, end);
    if (count === 0) break;
    end += count;
  }
  return bytes.subarray(0, end);
}

/** A snapshot on its way: what cannot be opened is known before anything is written. */
export interface SnapshotWriter {
  /** Takes the place of what was there in one step. */
  readonly write: (bytes: Uint8Array) => Promise<void>;
}

/** Throws what the system says when there is no place to write. */
export async function createSnapshotFile(path: string, disk: Disk): Promise<SnapshotWriter> {
  const directory = dirname(path);
  await disk.makeDirectory(directory);
  const temporary = join(
    directory,
    `${temporaryStart(path)}${crypto.randomUUID()}${TEMPORARY_END}`,
  );
  const descriptor = await disk.create(temporary);
  return {
    write: async (bytes) => {
      try {
        try {
          await disk.write(descriptor, bytes);
        } finally {
          await disk.close(descriptor);
        }
        // Not waited for by a sync: what a loss of power leaves is found by its checksum, and made anew.
        await disk.rename(temporary, path);
      } catch (error) {
        await removeQuietly(disk, temporary);
        throw error;
      }
      await tryTwice(() => removeLeftovers(path, disk));
    },
  };
}

const TEMPORARY_END = ".tmp";
/** Nobody writes for as long as this. */
const LEFT_AFTER_MS = 10 * 60_000;

function temporaryStart(path: string): string {
  return `.${basename(path)}.`;
}

/** Removes what writers left behind who were killed. */
async function removeLeftovers(path: string, disk: Disk): Promise<void> {
  const [directory, start] = [dirname(path), temporaryStart(path)];
  for (const name of readdirSync(directory)) {
    if (!name.startsWith(start) || !name.endsWith(TEMPORARY_END)) continue;
    const left = join(directory, name);
    const { mtimeMs = Infinity } = lstatSync(left, { throwIfNoEntry: false }) ?? {};
    // oxlint-disable-next-line no-await-in-loop -- hardly ever more than one
    if (Date.now() - mtimeMs > LEFT_AFTER_MS) await removeQuietly(disk, left);
  }
}

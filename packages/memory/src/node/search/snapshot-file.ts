import { lstatSync, readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { type Disk, errorCode, removeQuietly, tryTwice } from "@caliban/common/node";
import { openFileReader } from "./file-reader.ts";
import { isSnapshotHead, SNAPSHOT_HEAD_BYTES } from "../../search/live-index/snapshot.ts";

/**
 * The bytes of a snapshot; `undefined` if there is none that can be used. Links are not followed, and a file that does not
 * start like a snapshot is not read any further.
 */
export function readSnapshotFile(path: string): Uint8Array | undefined {
  const file = openFileReader(path);
  if (file === undefined) return undefined;
  try {
    const head = file.read(0, Math.min(file.size, SNAPSHOT_HEAD_BYTES));
    return isSnapshotHead(head) ? file.read(0, file.size) : undefined;
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return undefined;
  } finally {
    file.close();
  }
}

/** The size of a snapshot; 0 if there is no file. */
export function snapshotSize(path: string | undefined): number {
  try {
    return (path && lstatSync(path, { throwIfNoEntry: false })?.size) || 0;
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return 0;
  }
}

/** A snapshot being written. A failure to open the file is known before anything is written. */
export interface SnapshotWriter {
  /** Replaces the previous snapshot atomically. */
  readonly write: (parts: readonly Uint8Array[]) => Promise<void>;
}

/** Throws the system error if the file cannot be created. */
export async function createSnapshotFile(path: string, disk: Disk): Promise<SnapshotWriter> {
  const directory = dirname(path);
  await disk.makeDirectory(directory);
  const temporary = join(
    directory,
    `${temporaryPrefix(path)}${crypto.randomUUID()}${TEMPORARY_SUFFIX}`,
  );
  const descriptor = await disk.create(temporary);
  return {
    write: async (parts) => {
      try {
        try {
          for (const part of parts) await disk.write(descriptor, part);
        } finally {
          await disk.close(descriptor);
        }
        // Without a sync: after a power failure, the checksum detects a damaged snapshot, and it is rebuilt.
        await disk.rename(temporary, path);
      } catch (error) {
        await removeQuietly(disk, temporary);
        throw error;
      }
      await tryTwice(() => removeStaleFiles(path, disk));
    },
  };
}

const TEMPORARY_SUFFIX = ".tmp";
/** No write takes this long. */
const STALE_AFTER_MS = 10 * 60_000;

function temporaryPrefix(path: string): string {
  return `.${basename(path)}.`;
}

/** Removes the temporary files of killed writers. */
async function removeStaleFiles(path: string, disk: Disk): Promise<void> {
  const [directory, start] = [dirname(path), temporaryPrefix(path)];
  for (const name of readdirSync(directory)) {
    if (!name.startsWith(start) || !name.endsWith(TEMPORARY_SUFFIX)) continue;
    const file = join(directory, name);
    const { mtimeMs = Infinity } = lstatSync(file, { throwIfNoEntry: false }) ?? {};
    if (Date.now() - mtimeMs > STALE_AFTER_MS) await removeQuietly(disk, file);
  }
}

import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";
import { type Disk, errorCode, hasCode, linkIfFree, removeQuietly } from "@caliban/common/node";
import { lstatUnlessMissing, refusedFileError } from "./topic-files.ts";

/**
 * Whether a regular file exists at the path. A link or a directory there is an error.
 * @throws MemoryError `REFUSED_FILE`
 */
export function plainFileExists(path: string): boolean {
  const stats = lstatUnlessMissing(path);
  if (stats === undefined) return false;
  if (stats.isSymbolicLink()) throw refusedFileError(path, "it is a symbolic link");
  if (!stats.isFile()) throw refusedFileError(path, "it is not a regular file");
  return true;
}

/**
 * Makes sure that the path is free or a regular file.
 * @throws MemoryError `REFUSED_FILE`
 */
export function assertPlainFile(path: string): void {
  plainFileExists(path);
}

/** Whether a file has exactly this content; `null` means that there is no file. An unreadable file does not match. */
export function hasContent(path: string, content: string | Buffer | null): boolean {
  let descriptor: number | undefined;
  try {
    const flags = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
    descriptor = openSync(path, constants.O_RDONLY | flags);
    const stats = fstatSync(descriptor);
    if (content === null || !stats.isFile()) return false;
    const bytes = typeof content === "string" ? Buffer.from(content) : content;
    return stats.size === bytes.length && readFileSync(descriptor).equals(bytes);
  } catch (error) {
    if (hasCode(error, "ENOENT")) return content === null;
    if (hasCode(error, "EACCES", "EPERM", "ELOOP", "ENXIO", "EISDIR")) return false;
    throw error;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

export async function removePlainFile(disk: Disk, path: string): Promise<void> {
  if (plainFileExists(path)) await disk.unlink(path);
}

/**
 * Moves a file unless the new name is taken; returns whether it was free. If the system cannot create a second name,
 * because the disk is full or has no hard links, the file is renamed.
 */
export async function moveIfFree(disk: Disk, from: string, to: string): Promise<boolean> {
  assertPlainFile(from);
  try {
    if (!(await linkIfFree(disk, from, to))) return false;
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    if (plainFileExists(to)) return false;
    await disk.rename(from, to);
    return true;
  }
  await removeQuietly(disk, from);
  return true;
}

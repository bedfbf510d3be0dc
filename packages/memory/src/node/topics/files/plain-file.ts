import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";
import { type Disk, hasCode } from "@caliban/common/node";
import { refusedFileError, statsOf } from "./topic-files.ts";

/** Whether a file is there; whatever else has its name is refused. */
export function isPlainFile(path: string): boolean {
  const stats = statsOf(path);
  if (stats === undefined) return false;
  if (stats.isSymbolicLink()) throw refusedFileError(path, "it is a symbolic link");
  if (!stats.isFile()) throw refusedFileError(path, "it is no plain file");
  return true;
}

/** Whether a file has exactly this text, or these bytes; `null` stands for no file. What cannot be read has another. */
export function hasContent(path: string, text: string | Buffer | null): boolean {
  let descriptor: number | undefined;
  try {
    const flags = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
    descriptor = openSync(path, constants.O_RDONLY | flags);
    const stats = fstatSync(descriptor);
    if (text === null || !stats.isFile()) return false;
    const bytes = typeof text === "string" ? Buffer.from(text) : text;
    return stats.size === bytes.length && readFileSync(descriptor).equals(bytes);
  } catch (error) {
    if (hasCode(error, "ENOENT")) return text === null;
    if (hasCode(error, "EACCES", "EPERM", "ELOOP", "ENXIO", "EISDIR")) return false;
    throw error;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

export async function removePlainFile(disk: Disk, path: string): Promise<void> {
  if (isPlainFile(path)) await disk.unlink(path);
}

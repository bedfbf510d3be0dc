import { basename, dirname, join } from "node:path";
import { type Disk, nodeDisk } from "./disk.ts";
import { hasCode } from "./error-code.ts";
import { linkIfFree, NO_HARD_LINKS } from "./link-file.ts";
import { removeQuietly } from "./remove-file.ts";

/** Replaces a private file (0600, directories 0700) in one step: a crash leaves either the old or the new text. */
export async function writeFileAtomic(
  path: string,
  content: FileContent,
  disk: Disk = nodeDisk,
): Promise<void> {
  const directory = dirname(path);
  await disk.makeDirectory(directory);
  // Same directory, because rename is atomic only within one filesystem.
  const temporary = join(directory, `.${basename(path)}.${crypto.randomUUID()}.tmp`);
  try {
    await writeNewFile(disk, temporary, content);
    await disk.rename(temporary, path);
  } catch (error) {
    await removeQuietly(disk, temporary);
    throw error;
  }
  await disk.syncDirectory(directory);
}

/** Creates a file that must not exist yet (`EEXIST`), complete or not at all. */
export async function createFileAtomic(
  path: string,
  text: string,
  disk: Disk = nodeDisk,
): Promise<void> {
  const temporary = `${path}.${crypto.randomUUID()}.tmp`;
  try {
    await writeNewFile(disk, temporary, text);
    try {
      if (await linkIfFree(disk, temporary, path)) return;
      throw Object.assign(new Error(`EEXIST: file already exists, ${path}`), { code: "EEXIST" });
    } catch (error) {
      if (!hasCode(error, ...NO_HARD_LINKS)) throw error;
      // The file system has no hard links.
      await writeNewFile(disk, path, text);
    }
  } finally {
    await removeQuietly(disk, temporary);
  }
}

/** A text, or what writes a longer content piece by piece. */
export type FileContent = string | ((write: (part: Uint8Array) => Promise<void>) => Promise<void>);

/** Writes a file that must not exist yet, and returns once it is on disk. */
export async function writeNewFile(disk: Disk, path: string, content: FileContent): Promise<void> {
  const descriptor = await disk.create(path);
  try {
    if (typeof content === "string") await disk.write(descriptor, content);
    else await content((part) => disk.write(descriptor, part));
    await disk.sync(descriptor);
  } finally {
    await disk.close(descriptor);
  }
}

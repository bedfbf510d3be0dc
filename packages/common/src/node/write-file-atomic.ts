import { mkdir, open, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { hasCode } from "./error-code.ts";

/** Replaces a private file (0600, directories 0700) in one step: a crash leaves the old text or the new. */
export async function writeFileAtomic(path: string, text: string): Promise<void> {
  const directory = dirname(path);
  await mkdir(directory, { recursive: true, mode: 0o700 });
  // Same directory, because rename is atomic only within one filesystem.
  const temporary = join(directory, `.${basename(path)}.${crypto.randomUUID()}.tmp`);
  try {
    await writeDurably(temporary, text);
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncDirectory(directory);
}

async function writeDurably(path: string, text: string): Promise<void> {
  const handle = await open(path, "wx", 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** A rename is on disk only when its directory is. Windows cannot open directories and needs no sync. */
async function syncDirectory(directory: string): Promise<void> {
  try {
    const handle = await open(directory, "r");
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (!hasCode(error, "EISDIR", "EPERM", "EACCES", "EINVAL")) throw error;
  }
}

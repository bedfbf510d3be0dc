import type { Disk } from "./disk.ts";
import { errorCode, hasCode } from "./error-code.ts";

/** Removes a file; that it was not there is no failure. */
export async function removeIfThere(disk: Disk, path: string): Promise<void> {
  try {
    await disk.unlink(path);
  } catch (error) {
    if (!hasCode(error, "ENOENT")) throw error;
  }
}

/** Removes a file that is in nobody's way: what the disk refuses stays, and is removed another time. */
export async function removeQuietly(disk: Disk, path: string): Promise<void> {
  await tryTwice(() => removeIfThere(disk, path));
}

/** Tries an action that may be left undone, and once more when the system refuses it. */
export async function tryTwice(action: () => Promise<void>): Promise<void> {
  const isDone = await unlessRefused(action);
  if (!isDone) await unlessRefused(action);
}

async function unlessRefused(action: () => Promise<void>): Promise<boolean> {
  try {
    await action();
    return true;
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return false;
  }
}

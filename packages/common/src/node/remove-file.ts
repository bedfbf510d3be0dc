import type { Disk } from "./disk.ts";
import { errorCode, hasCode } from "./error-code.ts";

/** Removes a file if it exists. */
export async function removeIfExists(disk: Disk, path: string): Promise<void> {
  try {
    await disk.unlink(path);
  } catch (error) {
    if (!hasCode(error, "ENOENT")) throw error;
  }
}

/** Removes a file that does no harm if it stays: a failure is ignored, and clean-up removes the file later. */
export async function removeQuietly(disk: Disk, path: string): Promise<void> {
  await tryTwice(() => removeIfExists(disk, path));
}

/** Tries an optional action, and once more if the system refuses it. */
export async function tryTwice(action: () => Promise<void>): Promise<void> {
  const succeeded = await attempt(action);
  if (!succeeded) await attempt(action);
}

async function attempt(action: () => Promise<void>): Promise<boolean> {
  try {
    await action();
    return true;
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return false;
  }
}

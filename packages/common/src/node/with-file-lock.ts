import { mkdir, open, rename, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { hasCode } from "./error-code.ts";

const POLL_MS = 20;
/** What is done under this lock takes milliseconds, so whoever holds it for so long is dead. */
const DEAD_AFTER_MS = 5_000;

/** Runs a short action while no other process runs one on the same file; a dead holder is replaced. */
export async function withFileLock<T>(path: string, action: () => Promise<T>): Promise<T> {
  const lock = `${path}.lock`;
  await mkdir(dirname(lock), { recursive: true, mode: 0o700 });
  /* oxlint-disable no-await-in-loop -- waiting is the point */
  while (!(await tryToTake(lock))) await delay(POLL_MS);
  /* oxlint-enable no-await-in-loop */
  try {
    return await action();
  } finally {
    await rm(lock, { force: true });
  }
}

async function tryToTake(lock: string): Promise<boolean> {
  try {
    await (await open(lock, "wx", 0o600)).close();
    return true;
  } catch (error) {
    if (!hasCode(error, "EEXIST")) throw error;
    await clearDead(lock);
    return false;
  }
}

/** Renaming first, because of two that find a dead holder only one can take its lock away. */
async function clearDead(lock: string): Promise<void> {
  try {
    const { mtimeMs } = await stat(lock);
    if (Date.now() - mtimeMs < DEAD_AFTER_MS) return;
    const grave = `${lock}.${crypto.randomUUID()}`;
    await rename(lock, grave);
    await rm(grave);
  } catch (error) {
    if (!hasCode(error, "ENOENT")) throw error;
  }
}

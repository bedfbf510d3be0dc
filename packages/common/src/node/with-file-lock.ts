import { mkdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { hasCode } from "./error-code.ts";

const POLL_MS = 20;
/** What is done under this lock takes milliseconds, so whoever holds it for so long is dead. */
const DEAD_AFTER_MS = 5_000;
const PATIENCE_MS = 15_000;

/**
 * Runs a short action while no other process runs one on the same file; a dead holder is replaced.
 * @throws an error with code `ELOCKED` when the lock cannot be had in fifteen seconds.
 */
export async function withFileLock<T>(path: string, action: () => Promise<T>): Promise<T> {
  const lock = `${path}.lock`;
  const token = crypto.randomUUID();
  await mkdir(dirname(lock), { recursive: true, mode: 0o700 });
  await acquire(lock, token);
  try {
    return await action();
  } finally {
    await release(lock, token);
  }
}

async function acquire(lock: string, token: string): Promise<void> {
  /* oxlint-disable no-await-in-loop -- waiting is the point */
  for (let waitedMs = 0; waitedMs < PATIENCE_MS; waitedMs += POLL_MS) {
    if (await tryToTake(lock, token)) return;
    await delay(POLL_MS);
  }
  /* oxlint-enable no-await-in-loop */
  throw Object.assign(new Error(`another process holds ${lock}`), { code: "ELOCKED" });
}

async function tryToTake(lock: string, token: string): Promise<boolean> {
  try {
    await writeFile(lock, token, { flag: "wx", mode: 0o600 });
    return true;
  } catch (error) {
    if (!hasCode(error, "EEXIST", "EISDIR")) throw error;
    await clearDead(lock);
    return false;
  }
}

/** Renaming first, because of two that find a dead holder only one can take its lock away. */
async function clearDead(lock: string): Promise<void> {
  try {
    const { mtimeMs } = await stat(lock);
    // A time far ahead is no holder's: a clock was wrong, or somebody made it.
    if (Math.abs(Date.now() - mtimeMs) < DEAD_AFTER_MS) return;
    const grave = `${lock}.${crypto.randomUUID()}`;
    await rename(lock, grave);
    await rm(grave, { recursive: true, force: true });
  } catch (error) {
    if (!hasCode(error, "ENOENT")) throw error;
  }
}

/** Only one's own: who was taken for dead must not open the lock of whoever came after. */
async function release(lock: string, token: string): Promise<void> {
  try {
    if ((await readFile(lock, "utf8")) === token) await rm(lock, { force: true });
  } catch (error) {
    if (!hasCode(error, "ENOENT", "EISDIR")) throw error;
  }
}

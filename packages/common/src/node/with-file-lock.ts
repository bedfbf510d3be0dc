import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { withLock } from "./file-lock.ts";

/**
 * Runs a short action while no other process runs one on the same file; a dead holder is replaced.
 * @throws an error with code `ELOCKED` when a live one keeps the lock
 */
export async function withFileLock<T>(path: string, action: () => Promise<T>): Promise<T> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  return await withLock({ path: `${path}.lock`, timing: { patienceMs: 15_000 } }, action);
}

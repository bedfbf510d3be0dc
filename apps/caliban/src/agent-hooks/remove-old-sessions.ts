import { lstatSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { hasCode } from "@caliban/common/node";

const MAX_AGE_MS = 30 * 24 * 3_600_000;

/** Removes what is known about conversations that were not continued for a month. */
export function removeOldSessions(sessions: string, nowMs: number): void {
  for (const name of namesIn(sessions)) {
    const directory = join(sessions, name);
    const { mtimeMs = nowMs } = lstatSync(directory, { throwIfNoEntry: false }) ?? {};
    if (nowMs - mtimeMs > MAX_AGE_MS) rmSync(directory, { recursive: true, force: true });
  }
}

function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch (error) {
    if (hasCode(error, "ENOENT")) return [];
    throw error;
  }
}

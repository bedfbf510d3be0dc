import { readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { userDirectories, type UserDirectoriesInput } from "@caliban/common";
import { errorCode, hasCode, listNames, statIfExists } from "@caliban/common/node";
import { isSessionId, type SessionId } from "@caliban/sessions";
import { JOURNAL, OBJECTS } from "./session-store.ts";

/** Where checkpoints are stored: one directory per session. `undefined` without a state directory. */
export function checkpointsDirectory(host: UserDirectoriesInput): string | undefined {
  const { state } = userDirectories(host);
  return state && join(state, "checkpoints");
}

/** The checkpoints of a session, as a list shows them. */
export interface StoredCheckpoints {
  readonly id: SessionId;
  readonly bytes: number;
  /** When the last change was recorded. */
  readonly updatedMs: number;
}

/** All stored checkpoints, oldest first. */
export function listCheckpoints(directory: string): readonly StoredCheckpoints[] {
  return listNames(directory)
    .filter(isSessionId)
    .map((id) => sizeOf(directory, id))
    .toSorted((a, b) => a.updatedMs - b.updatedMs);
}

/** The size of the checkpoints of one session; nothing if there are none. */
export function sizeOf(directory: string, id: SessionId): StoredCheckpoints {
  const home = join(directory, id);
  const journal = statIfExists(join(home, JOURNAL));
  const objects = listNames(join(home, OBJECTS));
  const sizes = objects.map((name) => statIfExists(join(home, OBJECTS, name))?.size ?? 0);
  const bytes = sizes.reduce((sum, size) => sum + size, journal?.size ?? 0);
  return { id, bytes, updatedMs: Math.round(journal?.mtimeMs ?? 0) };
}

/** Erases the checkpoints of a session. Returns how many bytes they had; `undefined` if there were none. */
export function removeCheckpoints(directory: string, id: SessionId): number | undefined {
  const home = join(directory, id);
  if (!isDirectory(home)) return undefined;
  const { bytes } = sizeOf(directory, id);
  rmSync(home, { recursive: true, force: true });
  return bytes;
}

function isDirectory(path: string): boolean {
  try {
    readdirSync(path);
    return statSync(path).isDirectory();
  } catch (error) {
    if (hasCode(error, "ENOENT", "ENOTDIR")) return false;
    if (errorCode(error) === undefined) throw error;
    return true;
  }
}

export interface Limits {
  /** The largest file that is saved. */
  readonly fileBytes: number;
  /** All contents of one session. */
  readonly sessionBytes: number;
  /** All sessions together. */
  readonly totalBytes: number;
}

const MEGABYTE = 1_000_000;

export const LIMITS: Limits = {
  fileBytes: 20 * MEGABYTE,
  sessionBytes: 200 * MEGABYTE,
  totalBytes: 500 * MEGABYTE,
};

/** A session that was used within this time may still be running. */
const RECENT_MS = 60 * 60 * 1000;

/** Chooses the sessions to erase, oldest first, until the rest is below the limit. */
export function chooseStale(
  stored: readonly StoredCheckpoints[],
  {
    totalBytes,
    keep,
    nowMs,
  }: { readonly totalBytes: number; readonly keep: string; readonly nowMs: number },
): readonly StoredCheckpoints[] {
  let rest = stored.reduce((sum, { bytes }) => sum + bytes, 0);
  const chosen: StoredCheckpoints[] = [];
  for (const session of stored) {
    if (rest <= totalBytes) break;
    if (session.id === keep || nowMs - session.updatedMs < RECENT_MS) continue;
    chosen.push(session);
    rest -= session.bytes;
  }
  return chosen;
}

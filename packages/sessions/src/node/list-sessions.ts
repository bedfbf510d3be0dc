import { closeSync, fstatSync, readdirSync, readSync, lstatSync } from "node:fs";
import { join } from "node:path";
import { errorCode, hasCode } from "@caliban/common/node";
import type { SessionDiagnostic } from "../diagnostic.ts";
import { SessionsError } from "../errors.ts";
import { glimpse, type SessionGlimpse } from "../glimpse.ts";
import { type SessionId, sessionFileName, sessionIdOfFile } from "../session-id.ts";
import { openToRead } from "./session-file.ts";

/** A stored session as a list shows it. */
export interface SessionSummary extends SessionGlimpse {
  readonly id: SessionId;
  readonly path: string;
  readonly bytes: number;
  /** When something was last appended. */
  readonly updatedMs: number;
}

export interface SessionList {
  /** Newest first. */
  readonly sessions: readonly SessionSummary[];
  /** How many there are besides. */
  readonly omitted: number;
  /** Files that cannot be read; each costs itself only. */
  readonly diagnostics: readonly SessionDiagnostic[];
}

const DEFAULT_LIMIT = 50;
const GLIMPSE_BYTES = 16 * 1024;

/**
 * Lists what is in a directory. Of each file that is shown, no more than its beginning and its end is read.
 * @throws SessionsError `UNREADABLE` when the directory cannot be read
 */
export function listSessions(
  directory: string,
  { limit = DEFAULT_LIMIT }: { readonly limit?: number | undefined } = {},
): SessionList {
  const files = sessionFiles(directory);
  const sessions: SessionSummary[] = [];
  const diagnostics: SessionDiagnostic[] = [];
  for (const { id, path } of files.slice(0, limit)) {
    try {
      sessions.push(summarizeSession(id, path));
    } catch (error) {
      if (!(error instanceof SessionsError)) throw error;
      // One that was removed since is no failure.
      if (error.code !== "NOT_FOUND")
        diagnostics.push({ code: "FILE_UNREADABLE", sentence: error.message });
    }
  }
  return { sessions, omitted: Math.max(files.length - limit, 0), diagnostics };
}

/** A stored session of which nothing was read. */
export interface SessionFile {
  readonly id: SessionId;
  readonly path: string;
  readonly updatedMs: number;
  /** Changes whenever the file does. */
  readonly sign: string;
}

/** The files themselves, newest first; nothing is read. @throws SessionsError `UNREADABLE` */
export function sessionFiles(directory: string): readonly SessionFile[] {
  return namesIn(directory)
    .flatMap((name) => {
      const id = sessionIdOfFile(name);
      if (id === undefined) return [];
      const path = join(directory, sessionFileName(id));
      const stats = lstatSync(path, { throwIfNoEntry: false });
      if (stats === undefined) return [];
      const { mtimeMs, size, ino } = stats;
      return [{ id, path, updatedMs: Math.round(mtimeMs), sign: `${mtimeMs}:${size}:${ino}` }];
    })
    .toSorted((a, b) => b.updatedMs - a.updatedMs || (a.id < b.id ? 1 : -1));
}

function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch (error) {
    if (hasCode(error, "ENOENT", "ENOTDIR")) return [];
    const code = errorCode(error);
    if (code === undefined) throw error;
    const sentence = `${directory} cannot be read: the system says ${code}`;
    throw new SessionsError("UNREADABLE", sentence, { cause: error });
  }
}

/** What the beginning and the end of a session file tell of it. @throws SessionsError */
export function summarizeSession(id: SessionId, path: string): SessionSummary {
  const descriptor = openToRead(path);
  try {
    const { size, mtimeMs } = fstatSync(descriptor);
    const head = piece(descriptor, 0);
    const tail = size <= GLIMPSE_BYTES ? "" : piece(descriptor, size - GLIMPSE_BYTES);
    return { id, path, bytes: size, updatedMs: Math.round(mtimeMs), ...glimpse(head, tail) };
  } finally {
    closeSync(descriptor);
  }
}

function piece(descriptor: number, position: number): string {
  const bytes = Buffer.alloc(GLIMPSE_BYTES);
  const bytesRead = readSync(descriptor, bytes, 0, GLIMPSE_BYTES, position);
  return bytes.toString("utf8", 0, bytesRead);
}

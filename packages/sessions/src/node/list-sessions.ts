import { closeSync, fstatSync, readdirSync, readSync, lstatSync } from "node:fs";
import { join } from "node:path";
import { errorCode, hasCode } from "@caliban/common/node";
import type { SessionDiagnostic } from "../diagnostic.ts";
import { SessionsError, isSessionsError } from "../errors.ts";
import { peek, type SessionPeek } from "../transcript/peek.ts";
import { type SessionId, sessionFileName, sessionIdOfFile } from "../identity/session-id.ts";
import { openToRead } from "./session-file.ts";

/** A stored session for a list. */
export interface SessionSummary extends SessionPeek {
  readonly id: SessionId;
  readonly path: string;
  readonly bytes: number;
  /** When the file last changed. */
  readonly updatedMs: number;
}

export interface SessionList {
  /** Newest first. */
  readonly sessions: readonly SessionSummary[];
  /** How many more there are. */
  readonly omitted: number;
  /** Files that cannot be read. They never affect the others. */
  readonly diagnostics: readonly SessionDiagnostic[];
}

const DEFAULT_LIMIT = 50;
const PEEK_BYTES = 16 * 1024;

/**
 * Lists the sessions in a directory. Only the beginning and the end of each listed file are read.
 *
 * @example
 * import { listSessions } from "@caliban/sessions/node";
 *
 * console.log(listSessions("sessions").sessions); // []
 *
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
      if (!isSessionsError(error)) throw error;
      // The session may have been removed in the meantime.
      if (error.code !== "NOT_FOUND")
        diagnostics.push({ code: "FILE_UNREADABLE", message: error.message });
    }
  }
  return { sessions, omitted: Math.max(files.length - limit, 0), diagnostics };
}

/** A stored session that has not been read. */
export interface SessionFile {
  readonly id: SessionId;
  readonly path: string;
  readonly updatedMs: number;
  /** Changes whenever the file does. */
  readonly fingerprint: string;
}

/** The session files of a directory, newest first, without reading them. @throws SessionsError `UNREADABLE` */
export function sessionFiles(directory: string): readonly SessionFile[] {
  return listDirectory(directory)
    .flatMap((name) => {
      const id = sessionIdOfFile(name);
      if (id === undefined) return [];
      const path = join(directory, sessionFileName(id));
      const stats = lstatSync(path, { throwIfNoEntry: false });
      if (stats === undefined) return [];
      const { mtimeMs, size, ino } = stats;
      return [
        { id, path, updatedMs: Math.round(mtimeMs), fingerprint: `${mtimeMs}:${size}:${ino}` },
      ];
    })
    .toSorted((a, b) => b.updatedMs - a.updatedMs || (a.id < b.id ? 1 : -1));
}

function listDirectory(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch (error) {
    if (hasCode(error, "ENOENT", "ENOTDIR")) return [];
    const code = errorCode(error);
    if (code === undefined) throw error;
    const message = `cannot read ${directory}: system error ${code}`;
    throw new SessionsError("UNREADABLE", message, { cause: error });
  }
}

/** Summarizes a session file from its beginning and its end. @throws SessionsError */
export function summarizeSession(id: SessionId, path: string): SessionSummary {
  const descriptor = openToRead(path);
  try {
    const { size, mtimeMs } = fstatSync(descriptor);
    const head = readPiece(descriptor, 0);
    const tail = size <= PEEK_BYTES ? "" : readPiece(descriptor, size - PEEK_BYTES);
    return { id, path, bytes: size, updatedMs: Math.round(mtimeMs), ...peek(head, tail) };
  } finally {
    closeSync(descriptor);
  }
}

function readPiece(descriptor: number, position: number): string {
  const bytes = Buffer.alloc(PEEK_BYTES);
  const bytesRead = readSync(descriptor, bytes, 0, PEEK_BYTES, position);
  return bytes.toString("utf8", 0, bytesRead);
}

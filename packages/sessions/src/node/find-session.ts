import { existsSync } from "node:fs";
import { command, nearest, withCommands } from "@caliban/common";
import { SessionsError, isSessionsError } from "../errors.ts";
import { idsMatching, isSessionId, type SessionId } from "../identity/session-id.ts";
import {
  type SessionFile,
  sessionFiles,
  type SessionSummary,
  summarizeSession,
} from "./list-sessions.ts";

const MAX_NAMED_SESSIONS = 2_000;

/**
 * The most recent session of a workspace; `undefined` when there is none. The worktrees of a repository share a directory
 * of sessions, so those of another worktree are ignored, unless it no longer exists.
 */
export function latestSession(directory: string, workspace: string): SessionId | undefined {
  const isOfWorkspace = ({ id, path }: SessionFile): boolean => {
    const found = peekAt(id, path);
    if (found === undefined) return false;
    const { workspace: other = "" } = found;
    return other === workspace || !existsSync(other);
  };
  return sessionFiles(directory).find(isOfWorkspace)?.id;
}

/**
 * Finds a session by its id, its name, or a part of its id.
 * @throws SessionsError `NOT_FOUND`, or `AMBIGUOUS` for a part that several ids have
 */
export function findSession(directory: string, wanted: string): SessionId {
  const files = sessionFiles(directory);
  if (isSessionId(wanted) && files.some(({ id }) => id === wanted)) return wanted;
  const named = newestNamed(files, wanted);
  if (named !== undefined) return named;
  const ids = files.map(({ id }) => id);
  const [only, ...others] = idsMatching(ids, wanted);
  if (only !== undefined && others.length === 0) return only;
  if (only === undefined) throw notFound(wanted, similarTo(files, wanted));
  const some = [only, ...others].slice(0, 5).join(", ");
  const message = `${others.length + 1} sessions match ${shown(wanted)}: ${some}. Type more of the id.`;
  throw new SessionsError("AMBIGUOUS", message);
}

/** The newest session with that name; `undefined` when there is none. */
export function sessionNamed(directory: string, name: string): SessionId | undefined {
  return newestNamed(sessionFiles(directory), name);
}

function newestNamed(files: readonly SessionFile[], name: string): SessionId | undefined {
  const wanted = name.trim().normalize("NFC");
  return files
    .slice(0, MAX_NAMED_SESSIONS)
    .find(({ id, path }) => peekAt(id, path)?.name === wanted)?.id;
}

/** `undefined` for a file that cannot be read, because it cannot be resumed. */
function peekAt(id: SessionId, path: string): SessionSummary | undefined {
  try {
    return summarizeSession(id, path);
  } catch (error) {
    if (isSessionsError(error)) return undefined;
    throw error;
  }
}

/** A session whose name or id is nearly what was typed. */
function similarTo(files: readonly SessionFile[], wanted: string): string | undefined {
  const names = files
    .slice(0, MAX_NAMED_SESSIONS)
    .flatMap(({ id, path }) => [peekAt(id, path)?.name ?? [], id].flat());
  return nearest(wanted.trim(), names);
}

function notFound(wanted: string, similar: string | undefined): SessionsError {
  const hint = similar === undefined ? "" : ` Did you mean ${similar}?`;
  const message = withCommands`no session has the name ${shown(wanted)}, or an id that contains it.${hint} To list all, run: ${command("sessions")}`;
  return new SessionsError("NOT_FOUND", message);
}

function shown(wanted: string): string {
  return JSON.stringify(wanted.length > 60 ? `${wanted.slice(0, 59)}…` : wanted);
}

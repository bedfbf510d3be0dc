import { existsSync } from "node:fs";
import { SessionsError } from "../errors.ts";
import { idsBeginningWith, isSessionId, type SessionId } from "../session-id.ts";
import {
  type SessionFile,
  sessionFiles,
  type SessionSummary,
  summarizeSession,
} from "./list-sessions.ts";

const MOST_NAMES = 2_000;

/**
 * The session of a workspace that was written to last; `undefined` when there is none. The worktrees of a repository
 * keep their sessions in one place, so those of another one are passed over, unless its directory is gone.
 */
export function latestSession(directory: string, workspace: string): SessionId | undefined {
  const isOurs = ({ id, path }: SessionFile): boolean => {
    const begun = glimpseOf(id, path);
    if (begun === undefined) return false;
    const { workspace: other = "" } = begun;
    return other === workspace || !existsSync(other);
  };
  return sessionFiles(directory).find(isOurs)?.id;
}

/**
 * The session a person means: by its id, its name, or the beginning of its id.
 * @throws SessionsError `NOT_FOUND`, or `AMBIGUOUS` for a beginning that several have
 */
export function findSession(directory: string, wanted: string): SessionId {
  const files = sessionFiles(directory);
  if (isSessionId(wanted) && files.some(({ id }) => id === wanted)) return wanted;
  const named = newestNamed(files, wanted);
  if (named !== undefined) return named;
  const ids = files.map(({ id }) => id);
  const [only, ...others] = idsBeginningWith(ids, wanted);
  if (only !== undefined && others.length === 0) return only;
  if (only === undefined) throw notFound(wanted);
  const some = [only, ...others].slice(0, 5).join(", ");
  const sentence = `${others.length + 1} sessions begin with ${shown(wanted)}: ${some}; give more of the id`;
  throw new SessionsError("AMBIGUOUS", sentence);
}

/** The newest session of that name; `undefined` when none has it. */
export function sessionNamed(directory: string, name: string): SessionId | undefined {
  return newestNamed(sessionFiles(directory), name);
}

function newestNamed(files: readonly SessionFile[], name: string): SessionId | undefined {
  const wanted = name.trim().normalize("NFC");
  return files.slice(0, MOST_NAMES).find(({ id, path }) => glimpseOf(id, path)?.name === wanted)
    ?.id;
}

/** `undefined` for what cannot be read: nobody can go on with it. */
function glimpseOf(id: SessionId, path: string): SessionSummary | undefined {
  try {
    return summarizeSession(id, path);
  } catch (error) {
    if (error instanceof SessionsError) return undefined;
    throw error;
  }
}

function notFound(wanted: string): SessionsError {
  const sentence = `no session is called ${shown(wanted)} or begins with it; \`caliban sessions\` lists them`;
  return new SessionsError("NOT_FOUND", sentence);
}

function shown(wanted: string): string {
  return JSON.stringify(wanted.length > 60 ? `${wanted.slice(0, 59)}…` : wanted);
}

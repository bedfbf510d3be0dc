import { SessionsError } from "../errors.ts";

/**
 * The name of a session file without its extension, checked to be a plain file name. Ids sort by creation time. The mark
 * exists in the type only, and is not a symbol, because a symbol of another copy of this package would be another type.
 */
export type SessionId = string & { readonly "~checked": "SessionId" };

const ID = /^\d{8}-\d{6}-[a-z0-9]{4}$/;
const ID_PART = /^[\da-z-]{1,20}$/;
const FILE_EXTENSION = ".jsonl";
const RANDOM_CHARACTERS = 4;
const BASE = 36;

/** Creates an id such as `20261116-171045-k3f9` from a time in UTC and random numbers in [0, 1). */
export function createSessionId(nowMs: number, random: () => number): SessionId {
  const time = new Date(nowMs).toISOString().slice(0, 19).replaceAll(/[-:]/g, "").replace("T", "-");
  const tail = Array.from({ length: RANDOM_CHARACTERS }, () =>
    Math.floor(random() * BASE).toString(BASE),
  );
  return parseSessionId(`${time}-${tail.join("")}`);
}

/** @throws SessionsError `INVALID_ID` */
export function parseSessionId(text: string): SessionId {
  if (isSessionId(text)) return text;
  const shown = JSON.stringify(text.length > 60 ? `${text.slice(0, 59)}…` : text);
  const message = `invalid session id ${shown}; an id looks like 20261116-171045-k3f9`;
  throw new SessionsError("INVALID_ID", message);
}

export function isSessionId(text: string): text is SessionId {
  return ID.test(text);
}

/** The ids that start with what the user typed; if none does, those that contain it. */
export function idsMatching(ids: readonly SessionId[], text: string): readonly SessionId[] {
  if (!ID_PART.test(text)) return [];
  const starting = ids.filter((id) => id.startsWith(text));
  return starting.length > 0 ? starting : ids.filter((id) => id.includes(text));
}

export function sessionFileName(id: SessionId): string {
  return `${id}${FILE_EXTENSION}`;
}

/** `undefined` for a file that is not a session. */
export function sessionIdOfFile(fileName: string): SessionId | undefined {
  if (!fileName.endsWith(FILE_EXTENSION)) return undefined;
  const stem = fileName.slice(0, -FILE_EXTENSION.length);
  return isSessionId(stem) ? stem : undefined;
}

import { SessionsError } from "./errors.ts";

declare const proven: unique symbol;

/** The name of a session file without its ending, proven to be a plain file name. Ids sort by the time they were made. */
export type SessionId = string & { readonly [proven]: "SessionId" };

const ID = /^\d{8}-\d{6}-[a-z0-9]{4}$/;
const ID_BEGINNING = /^[\da-z-]{1,20}$/;
const FILE_ENDING = ".jsonl";
const RANDOM_CHARACTERS = 4;
const BASE = 36;

/** Makes an id such as `20261116-171045-k3f9` from a time in UTC and numbers from 0 to less than 1. */
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
  const sentence = `${shown} is no id of a session; one looks like 20261116-171045-k3f9`;
  throw new SessionsError("INVALID_ID", sentence);
}

export function isSessionId(text: string): text is SessionId {
  return ID.test(text);
}

/** The ids that begin with what a person typed; none when no id can begin so. */
export function idsBeginningWith(ids: readonly SessionId[], text: string): readonly SessionId[] {
  if (!ID_BEGINNING.test(text)) return [];
  return ids.filter((id) => id.startsWith(text));
}

export function sessionFileName(id: SessionId): string {
  return `${id}${FILE_ENDING}`;
}

/** `undefined` for a file that is no session. */
export function sessionIdOfFile(fileName: string): SessionId | undefined {
  if (!fileName.endsWith(FILE_ENDING)) return undefined;
  const stem = fileName.slice(0, -FILE_ENDING.length);
  return isSessionId(stem) ? stem : undefined;
}

import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { SessionsError } from "../errors.ts";
import { errorCode, hasCode } from "@caliban/common/node";

const { O_RDONLY, O_WRONLY, O_CREAT, O_EXCL, O_APPEND } = constants;
// Windows has no links to refuse, and no pipe that would be waited for.
const SAFELY = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
const NEWLINE = 0x0a;

/** A descriptor of a regular file that is no link, for reading. @throws SessionsError */
export function openToRead(path: string): number {
  return openRegular(path, O_RDONLY);
}

/** The same for appending to a file that is there; it can be read as well. @throws SessionsError */
export function openToAppend(path: string): number {
  return openRegular(path, constants.O_RDWR | O_APPEND);
}

/** A new private file; a system error with `EEXIST` when the name is taken. */
export function createToAppend(path: string): number {
  return openSync(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | SAFELY, 0o600);
}

function openRegular(path: string, flags: number): number {
  const descriptor = openOrExplain(path, flags);
  if (fstatSync(descriptor).isFile()) return descriptor;
  closeSync(descriptor);
  throw new SessionsError("UNREADABLE", `${path} is not a regular file`);
}

function openOrExplain(path: string, flags: number): number {
  try {
    return openSync(path, flags | SAFELY);
  } catch (error) {
    const code = errorCode(error);
    if (code === undefined) throw error;
    if (hasCode(error, "ENOENT", "ENOTDIR")) {
      throw new SessionsError("NOT_FOUND", `there is no session at ${path}`, { cause: error });
    }
    const why = code === "ELOOP" ? "it is a symbolic link" : `the system says ${code}`;
    throw new SessionsError("UNREADABLE", `${path} cannot be opened: ${why}`, { cause: error });
  }
}

/** Whether the last line of a file has no end, so that the next record must not begin behind it. */
export function isLastLineOpen(descriptor: number): boolean {
  const { size } = fstatSync(descriptor);
  if (size === 0) return false;
  const last = new Uint8Array(1);
  readSync(descriptor, last, 0, 1, size - 1);
  return last[0] !== NEWLINE;
}

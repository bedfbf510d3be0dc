import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { SessionsError } from "../errors.ts";
import { errorCode, hasCode } from "@caliban/common/node";

const { O_RDONLY, O_WRONLY, O_CREAT, O_EXCL, O_APPEND } = constants;
// Windows has neither flag.
const SAFE_FLAGS = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
const NEWLINE = 0x0a;

/** Opens a regular file for reading, but not through a link. @throws SessionsError */
export function openToRead(path: string): number {
  return openRegular(path, O_RDONLY);
}

/** Opens an existing file for appending and reading. @throws SessionsError */
export function openToAppend(path: string): number {
  return openRegular(path, constants.O_RDWR | O_APPEND);
}

/** Creates a private file for appending; throws a system error `EEXIST` when it exists. */
export function createToAppend(path: string): number {
  return openSync(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | SAFE_FLAGS, 0o600);
}

function openRegular(path: string, flags: number): number {
  const descriptor = openOrExplain(path, flags);
  if (fstatSync(descriptor).isFile()) return descriptor;
  closeSync(descriptor);
  throw new SessionsError("UNREADABLE", `${path} is not a regular file`);
}

function openOrExplain(path: string, flags: number): number {
  try {
    return openSync(path, flags | SAFE_FLAGS);
  } catch (error) {
    const code = errorCode(error);
    if (code === undefined) throw error;
    if (hasCode(error, "ENOENT", "ENOTDIR")) {
      throw new SessionsError("NOT_FOUND", `no such session: ${path}`, { cause: error });
    }
    const reason = code === "ELOOP" ? "it is a symbolic link" : `system error ${code}`;
    throw new SessionsError("UNREADABLE", `cannot open ${path}: ${reason}`, { cause: error });
  }
}

/** Whether the last line of a file has no end, so that the next record must begin with one. */
export function endsMidLine(descriptor: number): boolean {
  const { size } = fstatSync(descriptor);
  if (size === 0) return false;
  const last = new Uint8Array(1);
  readSync(descriptor, last, 0, 1, size - 1);
  return last[0] !== NEWLINE;
}

import {
  type Dirent,
  lstatSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  type Stats,
  statSync,
} from "node:fs";
import { errorCode } from "./error-code.ts";

// Each of these treats "missing" and "not accessible" alike. A caller that must tell them apart, to report one of them,
// makes the system call itself.

/** The stats of what a path leads to, through symbolic links; `undefined` when it is missing or not accessible. */
export function statIfExists(path: string): Stats | undefined {
  return orOnSystemError(() => statSync(path, { throwIfNoEntry: false }), undefined);
}

/** The stats of the path itself, even if it is a symbolic link; `undefined` when it is missing or not accessible. */
export function lstatIfExists(path: string): Stats | undefined {
  return orOnSystemError(() => lstatSync(path, { throwIfNoEntry: false }), undefined);
}

/** Whether the path itself is a symbolic link, dangling or not. */
export function isSymlink(path: string): boolean {
  return lstatIfExists(path)?.isSymbolicLink() ?? false;
}

/** The names in a directory; none when it is missing or not accessible. */
export function listNames(directory: string): readonly string[] {
  return orOnSystemError(() => readdirSync(directory), []);
}

/** The entries of a directory with their types; none when it is missing or not accessible. */
export function listEntries(directory: string): readonly Dirent[] {
  return orOnSystemError(() => readdirSync(directory, { withFileTypes: true }), []);
}

/** The real path of a file or directory; `undefined` when it is missing or not accessible. */
export function realPathIfExists(path: string): string | undefined {
  return orOnSystemError(() => realpathSync.native(path), undefined);
}

function orOnSystemError<Result>(action: () => Result, fallback: Result): Result {
  try {
    return action();
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return fallback;
  }
}

/**
 * Whether an open file is the one at a real path. A parent directory can be replaced by a link between resolving the
 * path and opening it. Linux reports what was opened; elsewhere the path is resolved again.
 */
export function isOpenFileAt(descriptor: number, path: string, opened: Stats): boolean {
  const openedPath = orOnSystemError(() => readlinkSync(`/proc/self/fd/${descriptor}`), undefined);
  if (openedPath !== undefined) return openedPath === path;
  const now = lstatSync(path);
  return now.ino === opened.ino && now.dev === opened.dev && realpathSync.native(path) === path;
}

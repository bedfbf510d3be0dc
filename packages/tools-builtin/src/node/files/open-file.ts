import { closeSync, constants, fstatSync, openSync, readdirSync, type Stats } from "node:fs";
import { basename, dirname } from "node:path";
import { nearest, terminalSafeLine } from "@caliban/common";
import { errorCode, hasCode, isOpenFileAt } from "@caliban/common/node";
import { FileToolError } from "../file-tool-error.ts";
import type { ResolvedPath } from "../resolve-path.ts";

/** An open regular file, proven to be the one that was located. */
export interface OpenFile {
  readonly descriptor: number;
  readonly stats: Stats;
}

const MOST_NAMES = 2_000;

/**
 * Opens a file for reading, hands it over, and closes it.
 *
 * @throws FileToolError when it is missing, no regular file, or no longer where it was located
 */
export async function withOpenFile<Result>(
  located: ResolvedPath,
  use: (file: OpenFile) => Promise<Result>,
): Promise<Result> {
  const descriptor = openToRead(located);
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) throw notAFile(located, stats);
    if (!isOpenFileAt(descriptor, located.path, stats)) throw movedError(located);
    return await use({ descriptor, stats });
  } finally {
    closeSync(descriptor);
  }
}

/** The path was replaced between the look at it and its use. */
export function movedError({ display: shown }: ResolvedPath): FileToolError {
  return new FileToolError(
    "CHANGED",
    `${shown} changed its place while it was opened. Try again, with its real path.`,
  );
}

function openToRead(located: ResolvedPath): number {
  // Without O_NONBLOCK, opening a named pipe waits for a writer for ever.
  const { O_RDONLY, O_NONBLOCK, O_NOFOLLOW } = constants;
  try {
    return openSync(located.path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW);
  } catch (error) {
    if (hasCode(error, "ENOENT", "ENOTDIR", "ENAMETOOLONG")) throw missing(located, error);
    if (hasCode(error, "ELOOP")) throw movedError(located);
    if (hasCode(error, "EISDIR")) throw directory(located);
    const code = errorCode(error);
    if (code === undefined) throw error;
    const reason = code === "ENXIO" ? "it is no regular file" : `the system says ${code}`;
    throw new FileToolError("UNREADABLE", `${located.display} cannot be read: ${reason}.`, {
      cause: error,
    });
  }
}

function notAFile(located: ResolvedPath, stats: Stats): FileToolError {
  if (stats.isDirectory()) return directory(located);
  const kind = stats.isFIFO() ? "a named pipe" : stats.isSocket() ? "a socket" : "a device";
  return new FileToolError(
    "NOT_A_FILE",
    `${located.display} is ${kind}, and only regular files are read and written. Choose another one.`,
  );
}

function directory({ display: shown }: ResolvedPath): FileToolError {
  const pattern = shown === "." ? "*" : `${shown}/*`;
  return new FileToolError(
    "NOT_A_FILE",
    `${shown} is a directory. Glob with ${JSON.stringify(pattern)} lists what is in it.`,
  );
}

function missing(located: ResolvedPath, cause: unknown): FileToolError {
  const near = nearest(basename(located.path), namesIn(dirname(located.path)));
  const hint =
    near === undefined
      ? "Glob finds files by pattern; Write makes a new one."
      : `Did you mean ${terminalSafeLine(near)} there?`;
  return new FileToolError("MISSING", `There is no file ${located.display}. ${hint}`, { cause });
}

function namesIn(path: string): readonly string[] {
  try {
    return readdirSync(path).slice(0, MOST_NAMES);
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return [];
  }
}

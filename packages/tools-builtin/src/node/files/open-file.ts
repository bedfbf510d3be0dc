import { closeSync, constants, fstatSync, openSync, type Stats } from "node:fs";
import { basename, dirname } from "node:path";
import { nearest, terminalSafeLine } from "@caliban/common";
import { errorCode, hasCode, isOpenFileAt, listHeldEntries } from "@caliban/common/node";
import { FileToolError } from "../file-tool-error.ts";
import type { ResolvedPath } from "../resolve-path.ts";

/** An open regular file that is proven to be at the resolved path. */
export interface OpenFile {
  readonly descriptor: number;
  readonly stats: Stats;
}

const MAX_NAMES = 2_000;

/**
 * Opens a file for reading, passes it on, and closes it.
 *
 * @throws FileToolError if it is missing, not a regular file, or no longer where it was resolved
 */
export async function withOpenFile<Result>(
  resolved: ResolvedPath,
  use: (file: OpenFile) => Promise<Result>,
): Promise<Result> {
  const descriptor = openForReading(resolved);
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) throw notAFileError(resolved, stats);
    if (!isOpenFileAt(descriptor, resolved.path, stats)) throw movedError(resolved);
    return await use({ descriptor, stats });
  } finally {
    closeSync(descriptor);
  }
}

/** The path was replaced between resolving and using it. */
export function movedError({ display }: ResolvedPath): FileToolError {
  return new FileToolError(
    "CHANGED",
    `${display} was moved while it was being opened. Try again with its real path.`,
  );
}

function openForReading(resolved: ResolvedPath): number {
  // Without O_NONBLOCK, opening a named pipe would wait for a writer forever.
  const { O_RDONLY, O_NONBLOCK, O_NOFOLLOW } = constants;
  try {
    return openSync(resolved.path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW);
  } catch (error) {
    if (hasCode(error, "ENOENT", "ENOTDIR", "ENAMETOOLONG")) throw missingError(resolved, error);
    if (hasCode(error, "ELOOP")) throw movedError(resolved);
    if (hasCode(error, "EISDIR")) throw directoryError(resolved);
    const code = errorCode(error);
    if (code === undefined) throw error;
    const reason = code === "ENXIO" ? "it is not a regular file" : `the system reports ${code}`;
    throw new FileToolError("UNREADABLE", `${resolved.display} cannot be read: ${reason}.`, {
      cause: error,
    });
  }
}

function notAFileError(resolved: ResolvedPath, stats: Stats): FileToolError {
  if (stats.isDirectory()) return directoryError(resolved);
  const kind = stats.isFIFO() ? "a named pipe" : stats.isSocket() ? "a socket" : "a device";
  return new FileToolError(
    "NOT_A_FILE",
    `${resolved.display} is ${kind}, and only regular files can be read and written. Choose another file.`,
  );
}

function directoryError({ display }: ResolvedPath): FileToolError {
  const pattern = display === "." ? "*" : `${display}/*`;
  return new FileToolError(
    "NOT_A_FILE",
    `${display} is a directory. Use Glob with ${JSON.stringify(pattern)} to list its files.`,
  );
}

function missingError(resolved: ResolvedPath, cause: unknown): FileToolError {
  const entries = listHeldEntries(dirname(resolved.path)).slice(0, MAX_NAMES);
  const names = entries.map(({ name }) => name);
  const hint = missingHint(basename(resolved.path), names);
  return new FileToolError("MISSING", `There is no file ${resolved.display}. ${hint}`, { cause });
}

function missingHint(name: string, names: readonly string[]): string {
  const interrupted = names.find(
    (each) => each.startsWith(interruptedPrefix(name)) && each.endsWith(INTERRUPTED_SUFFIX),
  );
  if (interrupted !== undefined) {
    return `A crash interrupted a change of it: its text is in ${terminalSafeLine(interrupted)} in the same directory. Tell the user, who can move it back.`;
  }
  const near = nearest(name, names);
  return near === undefined
    ? "Use Glob to find files by pattern, or Write to create a new one."
    : `Did you mean ${terminalSafeLine(near)} in the same directory?`;
}

const INTERRUPTED_SUFFIX = ".old";

/** Where a file is while another one replaces it, and where a crash at that moment leaves it. */
export function interruptedName(name: string, id: string): string {
  return `${interruptedPrefix(name)}${id}${INTERRUPTED_SUFFIX}`;
}

/** Short enough for any file system. */
function interruptedPrefix(name: string): string {
  return `.${name.slice(0, 40)}.`;
}

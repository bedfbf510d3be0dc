import { readlinkSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, sep } from "node:path";
import { terminalSafeLine } from "@caliban/common";
import { errorCode, realPathIfExists } from "@caliban/common/node";
import { FileToolError, isFileToolError } from "./file-tool-error.ts";

/** Whether a path is the directory or below it. Both must be real paths. */
export function isInside(directory: string, path: string): boolean {
  const below = relative(directory, path);
  return below !== ".." && !below.startsWith(`..${sep}`) && !isAbsolute(below);
}

/** The real path of a directory that may not exist yet. A dangling link is returned unchanged: nothing is inside it. */
export function realPathOf(directory: string): string {
  try {
    return realPathOfExisting(directory);
  } catch (error) {
    if (isFileToolError(error)) return directory;
    throw error;
  }
}

/**
 * Resolves the part of a path that exists, and appends the names that do not exist yet.
 *
 * @throws FileToolError for a dangling link
 */
export function realPathOfExisting(path: string): string {
  const missing: string[] = [];
  for (let current = path; ; current = dirname(current)) {
    const real = realPathIfExists(current);
    if (real !== undefined) return join(real, ...missing);
    rejectDanglingLink(current);
    if (dirname(current) === current) return path;
    missing.unshift(basename(current));
  }
}

/** Writing through a dangling link would create a file at a path that no one has checked. */
function rejectDanglingLink(path: string): void {
  const target = linkTarget(path);
  if (target === undefined) return;
  throw new FileToolError(
    "BAD_PATH",
    `${terminalSafeLine(path)} is a link to ${terminalSafeLine(target)}, which does not exist. Use the real path of a file.`,
  );
}

function linkTarget(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return undefined;
  }
}

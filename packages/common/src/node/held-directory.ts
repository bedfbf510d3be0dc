import * as fs from "node:fs";
import { basename, dirname, join } from "node:path";
import { errorCode, hasCode } from "./error-code.ts";
import { isOpenFileAt, listEntries, lstatIfExists, realPathIfExists } from "./fs.ts";

/** A directory that stays the same while something is done in it. */
export interface HeldDirectory {
  /** A path that leads into the directory. */
  readonly base: string;
  /** Whether the path that was given still leads here. On Linux, `base` does in any case. */
  readonly isUnmoved: () => boolean;
  readonly release: () => void;
}

/**
 * Holds the directory at a real path; `undefined` if there is none, or only a link. On Linux, the directory itself is
 * held, so that replacing it or one of its parents by a link cannot lead elsewhere. On other platforms, the best we can do
 * is to check right before use.
 */
export function holdDirectory(path: string): HeldDirectory | undefined {
  return holdThrough(path, path);
}

/** Also creates the directory and its missing parents, each one inside its held parent. */
export function holdNewDirectory(path: string): HeldDirectory | undefined {
  const existing = holdDirectory(path);
  if (existing !== undefined) return existing;
  if (dirname(path) === path || lstatIfExists(path) !== undefined) return undefined;
  const parent = holdNewDirectory(dirname(path));
  if (parent === undefined) return undefined;
  try {
    if (!parent.isUnmoved()) return undefined;
    const inside = join(parent.base, basename(path));
    createDirectory(inside);
    return holdThrough(inside, path);
  } finally {
    parent.release();
  }
}

/** The entries of the directory at a real path; none if it is missing, not accessible, or behind a link. */
export function listHeldEntries(path: string): readonly fs.Dirent[] {
  let held: HeldDirectory | undefined;
  try {
    held = holdDirectory(path);
    const entries = held === undefined ? [] : listEntries(held.base);
    return held?.isUnmoved() === true ? entries : [];
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return [];
  } finally {
    held?.release();
  }
}

function createDirectory(path: string): void {
  try {
    fs.mkdirSync(path);
  } catch (error) {
    // Another process created it just now.
    if (!hasCode(error, "EEXIST")) throw error;
  }
}

function holdThrough(opened: string, path: string): HeldDirectory | undefined {
  const isUnmoved = (): boolean => realPathIfExists(path) === path;
  if (!fs.existsSync("/proc/self/fd")) {
    const isDirectory = lstatIfExists(path)?.isDirectory() === true && isUnmoved();
    return isDirectory ? { base: path, isUnmoved, release: () => undefined } : undefined;
  }
  const descriptor = openDirectory(opened);
  if (descriptor === undefined) return undefined;
  const release = (): void => fs.closeSync(descriptor);
  if (isOpenFileAt(descriptor, path, fs.fstatSync(descriptor))) {
    return { base: `/proc/self/fd/${descriptor}`, isUnmoved: () => true, release };
  }
  release();
  return undefined;
}

function openDirectory(path: string): number | undefined {
  const { O_RDONLY, O_NOFOLLOW, O_DIRECTORY } = fs.constants;
  try {
    return fs.openSync(path, O_RDONLY | O_NOFOLLOW | O_DIRECTORY);
  } catch (error) {
    if (hasCode(error, "ENOENT", "ENOTDIR", "ELOOP")) return undefined;
    throw error;
  }
}

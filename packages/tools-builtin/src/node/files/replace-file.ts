import * as fs from "node:fs";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import { errorCode, hasCode, isOpenFileAt, realPathIfExists } from "@caliban/common/node";
import type { ResolvedPath } from "../resolve-path.ts";
import { movedError } from "./open-file.ts";

const [writeAll, sync] = [promisify(fs.writeFile), promisify(fs.fsync)];

const { O_RDONLY, O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW, O_DIRECTORY } = fs.constants;

/** The stats that a new file inherits from the one it replaces. */
export type InheritedStats = Pick<fs.Stats, "mode" | "uid" | "gid">;

/**
 * Writes a file atomically: a crash leaves the old file or the new one. Returns the modification time.
 *
 * @throws FileToolError if the directory is no longer where it was resolved
 */
export async function replaceFile(
  resolved: ResolvedPath,
  text: string,
  previous: InheritedStats | undefined,
): Promise<number> {
  const directory = dirname(resolved.path);
  fs.mkdirSync(directory, { recursive: true });
  const held = holdDirectory(resolved, directory);
  try {
    // Same directory, because rename is atomic only within one filesystem.
    const temporary = join(held.base, `.${crypto.randomUUID()}.tmp`);
    try {
      await writeNew(temporary, text, previous);
      held.check();
      fs.renameSync(temporary, join(held.base, basename(resolved.path)));
    } catch (error) {
      removeIfExists(temporary);
      throw error;
    }
    return fs.statSync(join(held.base, basename(resolved.path))).mtimeMs;
  } finally {
    held.release();
  }
}

/** A directory that stays the same while something is done in it. */
export interface HeldDirectory {
  /** A path that leads into the directory. */
  readonly base: string;
  /** @throws FileToolError if the path now leads elsewhere */
  readonly check: () => void;
  readonly release: () => void;
}

/**
 * On Linux, holds the directory itself, so that replacing a parent directory cannot lead elsewhere. On other platforms,
 * the best we can do is `check` right before use.
 */
export function holdDirectory(resolved: ResolvedPath, directory: string): HeldDirectory {
  const check = (): void => {
    if (realPathIfExists(directory) !== directory) throw movedError(resolved);
  };
  check();
  if (!fs.existsSync("/proc/self/fd")) {
    return { base: directory, check, release: () => undefined };
  }
  const descriptor = fs.openSync(directory, O_RDONLY | O_NOFOLLOW | O_DIRECTORY);
  const release = (): void => fs.closeSync(descriptor);
  if (!isOpenFileAt(descriptor, directory, fs.fstatSync(descriptor))) {
    release();
    throw movedError(resolved);
  }
  return { base: `/proc/self/fd/${descriptor}`, check: () => undefined, release };
}

async function writeNew(
  path: string,
  text: string,
  previous: InheritedStats | undefined,
): Promise<void> {
  const descriptor = fs.openSync(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o666);
  try {
    if (previous !== undefined) inheritOwner(descriptor, previous);
    await writeAll(descriptor, text);
    await sync(descriptor);
  } finally {
    fs.closeSync(descriptor);
  }
}

function inheritOwner(descriptor: number, { mode, uid, gid }: InheritedStats): void {
  const current = fs.fstatSync(descriptor);
  try {
    if (current.uid !== uid || current.gid !== gid) fs.fchownSync(descriptor, uid, gid);
  } catch (error) {
    // Only root can give files away, and the text matters more than the owner.
    if (!hasCode(error, "EPERM", "EINVAL")) throw error;
  }
  // Last, because changing the owner clears special mode bits.
  fs.fchmodSync(descriptor, mode & 0o7777);
}

function removeIfExists(path: string): void {
  try {
    fs.unlinkSync(path);
  } catch (error) {
    // Only the original failure is reported; a temporary file that cannot be removed stays.
    if (errorCode(error) === undefined) throw error;
  }
}

import * as fs from "node:fs";
import { closeSync, constants, existsSync, fstatSync, openSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import { errorCode, hasCode, isOpenFileAt, realPathIfExists } from "@caliban/common/node";
import type { ResolvedPath } from "../resolve-path.ts";
import { movedError } from "./open-file.ts";

const [writeAll, sync] = [promisify(fs.writeFile), promisify(fs.fsync)];

const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = fs.constants;

/** What of the file before is kept. */
export type KeptStats = Pick<fs.Stats, "mode" | "uid" | "gid">;

/**
 * Puts a text at a place in one step: a crash leaves the old file or the new. Returns the time of the file.
 *
 * @throws FileToolError when the directory is no longer where it was located
 */
export async function replaceFile(
  located: ResolvedPath,
  text: string,
  before: KeptStats | undefined,
): Promise<number> {
  const directory = dirname(located.path);
  fs.mkdirSync(directory, { recursive: true });
  const held = holdDirectory(located, directory);
  try {
    // Same directory, because rename is atomic only within one filesystem.
    const temporary = join(held.base, `.${crypto.randomUUID()}.tmp`);
    try {
      await writeNew(temporary, text, before);
      held.check();
      fs.renameSync(temporary, join(held.base, basename(located.path)));
    } catch (error) {
      removeIfThere(temporary);
      throw error;
    }
    return fs.statSync(join(held.base, basename(located.path))).mtimeMs;
  } finally {
    held.release();
  }
}

async function writeNew(path: string, text: string, before: KeptStats | undefined): Promise<void> {
  const descriptor = fs.openSync(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o666);
  try {
    if (before !== undefined) keepOwner(descriptor, before);
    await writeAll(descriptor, text);
    await sync(descriptor);
  } finally {
    fs.closeSync(descriptor);
  }
}

function keepOwner(descriptor: number, { mode, uid, gid }: KeptStats): void {
  const now = fs.fstatSync(descriptor);
  try {
    if (now.uid !== uid || now.gid !== gid) fs.fchownSync(descriptor, uid, gid);
  } catch (error) {
    // Only root gives files away; the text is what was asked for.
    if (!hasCode(error, "EPERM", "EINVAL")) throw error;
  }
  // Afterwards, because a new owner takes special bits away.
  fs.fchmodSync(descriptor, mode & 0o7777);
}

function removeIfThere(path: string): void {
  try {
    fs.unlinkSync(path);
  } catch (error) {
    // What the disk refuses stays; the failure before this one is the one to tell.
    if (errorCode(error) === undefined) throw error;
  }
}

/** A directory that stays the same one while something is done in it. */
export interface HeldDirectory {
  /** A path that leads into the directory. */
  readonly base: string;
  /** @throws FileToolError when it leads elsewhere by now */
  readonly check: () => void;
  readonly release: () => void;
}

/**
 * On Linux the directory itself is held, so that no exchange of names on the way to it can lead elsewhere; on others,
 * `check` right before the use is what can be done.
 *
 * @throws FileToolError when it is no longer where it was located
 */
export function holdDirectory(located: ResolvedPath, directory: string): HeldDirectory {
  const check = (): void => {
    if (realPathIfExists(directory) !== directory) throw movedError(located);
  };
  check();
  const descriptor = openDirectory(directory);
  if (descriptor === undefined) return { base: directory, check, release: () => undefined };
  const release = (): void => closeSync(descriptor);
  if (!isOpenFileAt(descriptor, directory, fstatSync(descriptor))) {
    release();
    throw movedError(located);
  }
  return { base: `/proc/self/fd/${descriptor}`, check: () => undefined, release };
}

function openDirectory(directory: string): number | undefined {
  if (!existsSync("/proc/self/fd")) return undefined;
  return openSync(directory, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_DIRECTORY);
}

import * as fs from "node:fs";
import { basename, dirname, join } from "node:path";
import {
  type Disk,
  errorCode,
  hasCode,
  type HeldDirectory,
  holdDirectory,
  holdNewDirectory,
  linkIfFree,
  nodeDisk,
  removeQuietly,
} from "@caliban/common/node";
import { FileToolError } from "../file-tool-error.ts";
import type { ResolvedPath } from "../resolve-path.ts";
import type { FileFingerprint } from "../tool-state.ts";
import { fingerprintText, isSameContent, readFileChunks } from "./file-fingerprint.ts";
import { interruptedName, movedError } from "./open-file.ts";

/** The file that is replaced, as the model has seen it. */
export interface PreviousFile {
  readonly fingerprint: FileFingerprint;
  /** The new file inherits these. */
  readonly stats: Pick<fs.Stats, "mode" | "uid" | "gid">;
}

/** What to write, and instead of what. */
export interface Replacement {
  readonly resolved: ResolvedPath;
  readonly text: string | Uint8Array;
  /** Omitted for a new file. */
  readonly previous: PreviousFile | undefined;
  /** The permissions of the new file. By default, those of the previous one, or what the user's mask allows. */
  readonly mode?: number | undefined;
}

/**
 * Writes a file: a crash leaves the old text or the new one, and a text that another program saves at any moment is never
 * overwritten. A rename would replace whatever is there, so the old file is moved away and compared with what the model
 * has seen, and the new one gets the name only if it is free. Returns the fingerprint of the new file.
 *
 * @throws FileToolError if another program changed the file, or if the directory is no longer where it was resolved
 */
export async function replaceFile(
  { resolved, text, previous, mode }: Replacement,
  disk: Disk = nodeDisk,
): Promise<FileFingerprint> {
  const held = holdNewDirectory(dirname(resolved.path));
  if (held === undefined) throw movedError(resolved);
  // The same directory, because files can be moved only within one file system.
  const temporary = join(held.base, `.${crypto.randomUUID()}.tmp`);
  try {
    const fingerprint = await writeNew(disk, temporary, { text, previous, mode });
    if (!held.isUnmoved()) throw movedError(resolved);
    const paths = pathsIn(held, resolved, temporary);
    const isReplaced = await exchange(disk, paths, { previous, fingerprint });
    if (!isReplaced) throw changedMeanwhile(resolved);
    return fingerprint;
  } finally {
    await removeQuietly(disk, temporary);
    held.release();
  }
}

/**
 * Removes a file, if its content is still the one that is expected. A crash leaves it, or a backup next to it.
 * @throws FileToolError as `replaceFile`
 */
export async function removeFile(
  { resolved, previous }: Pick<Replacement, "resolved"> & { readonly previous: PreviousFile },
  disk: Disk = nodeDisk,
): Promise<void> {
  const held = holdDirectory(dirname(resolved.path));
  if (held === undefined) throw movedError(resolved);
  try {
    if (!held.isUnmoved()) throw movedError(resolved);
    const paths = pathsIn(held, resolved, "");
    if (!(await moveAway(disk, paths.path, paths.backup))) return;
    if (!(await hasContent(paths.backup, previous.fingerprint))) {
      await restore(disk, paths);
      throw changedMeanwhile(resolved);
    }
    await disk.unlink(paths.backup);
    await disk.syncDirectory(paths.directory);
  } finally {
    held.release();
  }
}

interface ExchangePaths {
  readonly directory: string;
  readonly path: string;
  /** The new file. */
  readonly temporary: string;
  /** Where the old file is until the new one has its name. */
  readonly backup: string;
}

function pathsIn(held: HeldDirectory, { path }: ResolvedPath, temporary: string): ExchangePaths {
  const name = basename(path);
  const backup = join(held.base, interruptedName(name, crypto.randomUUID().slice(0, 8)));
  return { directory: held.base, path: join(held.base, name), temporary, backup };
}

/** Returns whether the file was replaced. If another program changed it, its text stays. */
async function exchange(
  disk: Disk,
  paths: ExchangePaths,
  { previous, fingerprint }: ExchangedFiles,
): Promise<boolean> {
  const { directory, path, temporary, backup } = paths;
  if (previous === undefined) return await moveIfFree(disk, temporary, path);
  if (!(await moveAway(disk, path, backup))) return false;
  let isPublished = false;
  const undo = async (): Promise<void> =>
    await (isPublished ? rollBack(disk, paths, fingerprint) : restore(disk, paths));
  try {
    isPublished =
      (await hasContent(backup, previous.fingerprint)) && (await moveIfFree(disk, temporary, path));
    if (isPublished) await disk.syncDirectory(directory);
    // A program may have had the old file open.
    if (isPublished && (await hasContent(backup, previous.fingerprint))) {
      await removeQuietly(disk, backup);
      return true;
    }
  } catch (error) {
    await undo();
    throw error;
  }
  await undo();
  return false;
}

interface ExchangedFiles {
  readonly previous: PreviousFile | undefined;
  /** Of the new file. */
  readonly fingerprint: FileFingerprint;
}

/** Gives the old file its name back. If the name is taken, another program has saved its own text instead of the old one. */
async function restore(disk: Disk, { path, backup }: ExchangePaths): Promise<void> {
  await moveIfFree(disk, backup, path);
  await removeQuietly(disk, backup);
}

/** Takes the name from the new file, unless another program has changed that in the meantime, and restores the old one. */
async function rollBack(
  disk: Disk,
  paths: ExchangePaths,
  fingerprint: FileFingerprint,
): Promise<void> {
  const { path, temporary } = paths;
  const isMoved = await moveAway(disk, path, temporary);
  if (isMoved && !(await hasContent(temporary, fingerprint)))
    await moveIfFree(disk, temporary, path);
  await restore(disk, paths);
}

/** Returns whether there was a file to move. */
async function moveAway(disk: Disk, path: string, to: string): Promise<boolean> {
  try {
    await disk.rename(path, to);
    return true;
  } catch (error) {
    if (hasCode(error, "ENOENT")) return false;
    throw error;
  }
}

/**
 * Returns whether the name was free. If the system cannot create a second name, because the disk is full or has no hard
 * links, the file is renamed, and another program has the moment after the check to take the name.
 */
async function moveIfFree(disk: Disk, from: string, to: string): Promise<boolean> {
  try {
    if (!(await linkIfFree(disk, from, to))) return false;
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    if (fs.lstatSync(to, { throwIfNoEntry: false }) !== undefined) return false;
    await disk.rename(from, to);
    return true;
  }
  // As long as a file has two names, the system ignores a rename from one to the other.
  await removeQuietly(disk, from);
  return true;
}

async function hasContent(path: string, expected: FileFingerprint): Promise<boolean> {
  let descriptor: number | undefined;
  try {
    const { O_RDONLY, O_NONBLOCK, O_NOFOLLOW } = fs.constants;
    descriptor = fs.openSync(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW);
    const stats = fs.fstatSync(descriptor);
    if (!stats.isFile() || stats.size !== expected.bytes) return false;
    const { fingerprint } = await readFileChunks({ descriptor, stats }, () => "enough");
    return isSameContent(fingerprint, expected);
  } catch (error) {
    // Whatever it is, it is not the file that the model has seen.
    if (errorCode(error) === undefined) throw error;
    return false;
  } finally {
    if (descriptor !== undefined) fs.closeSync(descriptor);
  }
}

async function writeNew(
  disk: Disk,
  path: string,
  { text, previous, mode }: Pick<Replacement, "text" | "previous" | "mode">,
): Promise<FileFingerprint> {
  const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = fs.constants;
  // Readable for others, as far as the user's mask allows.
  const descriptor = fs.openSync(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o666);
  try {
    if (previous !== undefined) inheritOwner(descriptor, previous.stats);
    if (mode !== undefined) fs.fchmodSync(descriptor, mode & 0o7777);
    await disk.write(descriptor, text);
    await disk.sync(descriptor);
    return fingerprintText(text, fs.fstatSync(descriptor).mtimeMs);
  } finally {
    await disk.close(descriptor);
  }
}

function inheritOwner(descriptor: number, { mode, uid, gid }: PreviousFile["stats"]): void {
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

function changedMeanwhile({ display }: ResolvedPath): FileToolError {
  return new FileToolError(
    "CHANGED",
    `Another program changed ${display} at the same time, so nothing was changed. Read it again, then change it.`,
  );
}

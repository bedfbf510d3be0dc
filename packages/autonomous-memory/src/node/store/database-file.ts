import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  renameSync,
  type Stats,
} from "node:fs";
import { dirname } from "node:path";
import { hasCode } from "@caliban/common/node";
import { PipelineError } from "../../errors.ts";

/** What SQLite puts beside the file; before the file itself, because a log must never meet a new one. */
const COMPANIONS: readonly string[] = ["-wal", "-shm"];
const PRIVATE = 0o600;

/** Which file is meant, whatever its name is later. */
export interface FileIdentity {
  readonly device: number;
  readonly inode: number;
}

/** Makes the directory where it is missing, for the owner alone. @throws system errors */
export function makeDirectory(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
}

/**
 * Makes the file where it is missing, for the owner alone. The file is never opened here once it is
 * there: closing it would drop the locks that another connection of this process has on it.
 * @throws PipelineError `STATE_UNUSABLE` for a link or anything else that is no regular file; system errors
 */
export function prepareDatabaseFile(path: string): FileIdentity {
  createIfMissing(path);
  for (const suffix of COMPANIONS) makePrivate(`${path}${suffix}`);
  const stats = makePrivate(path);
  if (stats === undefined) return prepareDatabaseFile(path);
  accessSync(path, constants.R_OK | constants.W_OK);
  return { device: stats.dev, inode: stats.ino };
}

/**
 * Moves a damaged file out of the way, with its log, unless somebody else has done so already; where it is now.
 * @throws system errors
 */
export function moveAside(path: string, identity: FileIdentity): string | undefined {
  const stats = lstatIfThere(path);
  if (stats?.ino !== identity.inode || stats.dev !== identity.device) return undefined;
  const aside = freeName(`${path}.damaged-${new Date().toISOString().replaceAll(":", "-")}`);
  for (const suffix of COMPANIONS) renameIfThere(`${path}${suffix}`, `${aside}${suffix}`);
  renameIfThere(path, aside);
  return aside;
}

function freeName(wanted: string): string {
  for (let count = 1; ; count++) {
    const name = count === 1 ? wanted : `${wanted}-${count}`;
    if (!existsSync(name)) return name;
  }
}

function createIfMissing(path: string): void {
  if (lstatIfThere(path) !== undefined) return;
  try {
    closeSync(openSync(path, constants.O_RDWR | constants.O_CREAT | constants.O_EXCL, PRIVATE));
  } catch (error) {
    if (!hasCode(error, "EEXIST")) throw error;
  }
}

function makePrivate(path: string): Stats | undefined {
  const stats = lstatIfThere(path);
  if (stats === undefined) return undefined;
  if (!stats.isFile()) {
    const what = stats.isSymbolicLink() ? "a symbolic link" : "no regular file";
    throw new PipelineError(
      "STATE_UNUSABLE",
      `${path} is ${what}, so it is left alone; remove it, and a new file is made`,
    );
  }
  // Windows has no such modes.
  if ((stats.mode & 0o077) !== 0) chmodIfThere(path, stats.mode & 0o700);
  return stats;
}

function chmodIfThere(path: string, mode: number): void {
  try {
    chmodSync(path, mode);
  } catch (error) {
    if (!hasCode(error, "ENOENT")) throw error;
  }
}

function renameIfThere(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if (!hasCode(error, "ENOENT")) throw error;
  }
}

function lstatIfThere(path: string): Stats | undefined {
  return lstatSync(path, { throwIfNoEntry: false });
}

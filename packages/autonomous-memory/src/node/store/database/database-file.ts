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
import { PipelineError } from "../../../run/errors.ts";

/** SQLite's files next to the database; moved before the database itself, because a log must never meet a new database. */
const COMPANIONS: readonly string[] = ["-wal", "-shm"];
const PRIVATE = 0o600;

/** Identifies a file, whatever its name is later. */
export interface FileIdentity {
  readonly device: number;
  readonly inode: number;
}

/** Creates the directory if necessary, accessible only to the owner. @throws system errors */
export function makeDirectory(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
}

/**
 * Creates the file if necessary, accessible only to the owner. An existing file is never opened here: closing it would
 * drop the locks that another connection of this process holds.
 * @throws PipelineError `STATE_UNUSABLE` for anything that is not a regular file; system errors
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
 * Moves a damaged file and its log to a backup, unless another process has done so already; returns the new path.
 * @throws system errors
 */
export function moveToBackup(path: string, identity: FileIdentity): string | undefined {
  const stats = lstatOrUndefined(path);
  if (stats?.ino !== identity.inode || stats.dev !== identity.device) return undefined;
  const backup = freeName(`${path}.damaged-${new Date().toISOString().replaceAll(":", "-")}`);
  for (const suffix of COMPANIONS) renameIfExists(`${path}${suffix}`, `${backup}${suffix}`);
  renameIfExists(path, backup);
  return backup;
}

function freeName(wanted: string): string {
  for (let count = 1; ; count++) {
    const name = count === 1 ? wanted : `${wanted}-${count}`;
    if (!existsSync(name)) return name;
  }
}

function createIfMissing(path: string): void {
  if (lstatOrUndefined(path) !== undefined) return;
  try {
    closeSync(openSync(path, constants.O_RDWR | constants.O_CREAT | constants.O_EXCL, PRIVATE));
  } catch (error) {
    if (!hasCode(error, "EEXIST")) throw error;
  }
}

function makePrivate(path: string): Stats | undefined {
  const stats = lstatOrUndefined(path);
  if (stats === undefined) return undefined;
  if (!stats.isFile()) {
    const what = stats.isSymbolicLink() ? "a symbolic link" : "not a regular file";
    throw new PipelineError(
      "STATE_UNUSABLE",
      `${path} is ${what}; remove it to start with a new one`,
    );
  }
  // Windows has no such permissions.
  if ((stats.mode & 0o077) !== 0) chmodIfExists(path, stats.mode & 0o700);
  return stats;
}

function chmodIfExists(path: string, mode: number): void {
  try {
    chmodSync(path, mode);
  } catch (error) {
    if (!hasCode(error, "ENOENT")) throw error;
  }
}

function renameIfExists(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if (!hasCode(error, "ENOENT")) throw error;
  }
}

function lstatOrUndefined(path: string): Stats | undefined {
  return lstatSync(path, { throwIfNoEntry: false });
}

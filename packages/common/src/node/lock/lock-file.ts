import { statSync } from "node:fs";
import type { Disk } from "../disk.ts";
import { errorCode, hasCode } from "../error-code.ts";
import { linkIfFree, NO_HARD_LINKS } from "../link-file.ts";
import { readTextFile } from "../read-text-file.ts";
import { removeQuietly } from "../remove-file.ts";
import { type LockRecord, parseLockRecord, renderLockRecord } from "./lock-record.ts";
import type { Machine } from "./machine.ts";

export interface LockTiming {
  readonly pollMs: number;
  /** How often a holder signals that it is alive. */
  readonly heartbeatMs: number;
  /** How long a holder on another host may miss its heartbeat before it is replaced. */
  readonly staleAfterMs: number;
  /** How long to wait for a live holder. */
  readonly timeoutMs: number;
}

export interface Lock {
  readonly path: string;
  readonly disk: Disk;
  readonly machine: Machine;
  readonly timing: LockTiming;
}

/** The complete record of a process that wants the lock, in a file of its own. */
export interface OwnRecord {
  readonly path: string;
  readonly token: string;
}

/** The content of a lock file. */
export interface Holder {
  /** `undefined` for a file without a valid record. */
  readonly record: LockRecord | undefined;
  readonly heartbeatMs: number;
  readonly inode: number;
}

export const MAX_RECORD_BYTES = 4_096;

/** Reads who holds a lock or a guard; `undefined` when it is free. */
export function readHolder(path: string): Holder | undefined {
  const file = readTextFile(path, MAX_RECORD_BYTES, { refuseLinks: true });
  if (file.kind === "missing") return undefined;
  if (file.kind !== "text") {
    const code = file.kind === "not-a-file" ? "ENOTLOCK" : "EIO";
    throw Object.assign(new Error(`cannot use ${path} as a lock: ${file.message}`), { code });
  }
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  return { record: parseLockRecord(file.text), heartbeatMs: stats.mtimeMs, inode: stats.ino };
}

export function isHeldBy(path: string, { token }: Pick<OwnRecord, "token">): boolean {
  return readHolder(path)?.record?.token === token;
}

/** Writes a record to a file that must not exist yet. */
export async function writeRecord(
  { disk, machine }: Lock,
  { path, token }: OwnRecord,
): Promise<void> {
  const { host, boot, pid, start } = machine;
  const descriptor = await disk.create(path);
  try {
    await disk.write(descriptor, renderLockRecord({ host, boot, pid, start, token }));
  } finally {
    await disk.close(descriptor);
  }
}

/** Takes the lock if it is free. Its name appears with the whole record, so that no process ever reads half of it. */
export async function tryTake({ path, disk }: Lock, own: OwnRecord): Promise<boolean> {
  try {
    return await linkIfFree(disk, own.path, path);
  } catch (error) {
    if (!hasCode(error, ...NO_HARD_LINKS)) throw error;
  }
  // A process that dies between the two steps leaves an empty lock, which is replaced once its heartbeat is stale.
  if (!(await createIfFree(disk, path))) return false;
  try {
    await replaceRecord({ path, disk }, own);
  } catch (error) {
    await removeQuietly(disk, path);
    throw error;
  }
  return true;
}

/** Takes a guard if it is free. The own record stays, because it becomes the lock later. */
export async function tryTakeGuard(lock: Lock, path: string, own: OwnRecord): Promise<boolean> {
  try {
    return await linkIfFree(lock.disk, own.path, path);
  } catch (error) {
    if (!hasCode(error, ...NO_HARD_LINKS)) throw error;
  }
  try {
    await writeRecord(lock, { path, token: own.token });
    return true;
  } catch (error) {
    if (hasCode(error, "EEXIST")) return false;
    throw error;
  }
}

/** Moves the own record to the name of a lock, whatever is there. */
export async function replaceRecord(
  { path, disk }: Pick<Lock, "path" | "disk">,
  own: OwnRecord,
): Promise<void> {
  try {
    await disk.rename(own.path, path);
  } catch (error) {
    // The file system may have renamed the file and lost the reply.
    if (errorCode(error) === undefined || !isHeldBy(path, own)) throw error;
  }
}

async function createIfFree(disk: Disk, path: string): Promise<boolean> {
  try {
    await disk.close(await disk.create(path));
    return true;
  } catch (error) {
    if (hasCode(error, "EEXIST")) return false;
    throw error;
  }
}

import { statSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type Disk, nodeDisk } from "../disk.ts";
import { hasCode } from "../error-code.ts";
import { readTextFile } from "../read-text-file.ts";
import { removeIfExists, removeQuietly, tryTwice } from "../remove-file.ts";
import { isAbandoned, type LockRecord, parseLockRecord, renderLockRecord } from "./lock-record.ts";
import { type Machine, thisMachine } from "./machine.ts";

export interface FileLockInput {
  /** The lock file; its directory exists. */
  readonly path: string;
  readonly disk?: Disk;
  readonly machine?: Machine;
  readonly timing?: Partial<LockTiming>;
}

export interface LockTiming {
  readonly pollMs: number;
  /** How often a holder signals that it is alive. */
  readonly heartbeatMs: number;
  /** How long a holder on another host may miss its heartbeat before it is replaced. */
  readonly staleAfterMs: number;
  /** How long to wait for a live holder. */
  readonly timeoutMs: number;
}

const TIMING: LockTiming = {
  pollMs: 10,
  heartbeatMs: 5_000,
  staleAfterMs: 30_000,
  timeoutMs: 40_000,
};
const MAX_RECORD_BYTES = 4_096;
const HARD_LINKS_UNSUPPORTED = ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"];

/** A lock that this process holds. */
export interface HeldLock {
  /**
   * Must be called before every step that other processes can see: a holder that was replaced must stop.
   * @throws an error with code `ELOST`
   */
  readonly assertHeld: () => Promise<void>;
}

interface Lock {
  readonly path: string;
  readonly disk: Disk;
  readonly machine: Machine;
  readonly timing: LockTiming;
}

/**
 * Runs a short action while no other process runs one on the same file, using the lock file `PATH.lock`.
 * @throws an error with code `ELOCKED` when a live process keeps the lock
 */
export async function withFileLock<T>(path: string, action: () => Promise<T>): Promise<T> {
  await nodeDisk.makeDirectory(dirname(path));
  return await withLock({ path: `${path}.lock`, timing: { timeoutMs: 15_000 } }, action);
}

/**
 * Runs an action while no other process, here or on another host, runs one under the same lock file. A dead holder is
 * replaced.
 * @throws an error with code `ELOCKED` when a live holder keeps the lock for too long
 */
export async function withLock<T>(
  input: FileLockInput,
  action: (held: HeldLock) => Promise<T>,
): Promise<T> {
  const { path, disk = nodeDisk, machine = thisMachine() } = input;
  const lock: Lock = { path, disk, machine, timing: { ...TIMING, ...input.timing } };
  const token = crypto.randomUUID();
  await acquire(lock, token);
  const heartbeat = setInterval(() => void touchHeartbeat(lock), lock.timing.heartbeatMs).unref();
  try {
    return await action({ assertHeld: () => assertHeld(lock, token) });
  } finally {
    clearInterval(heartbeat);
    await release(lock, token);
  }
}

/** Writes the whole record before the lock gets its name, so that no process ever reads half of it. */
async function acquire(lock: Lock, token: string): Promise<void> {
  // The process number is in the name, because a process may die before it has written its record.
  const own = `${lock.path}.${lock.machine.pid}.${token}`;
  try {
    await writeRecord(lock, own, token);
    await waitForLock(lock, own);
  } finally {
    await removeQuietly(lock.disk, own);
  }
}

async function writeRecord({ disk, machine }: Lock, path: string, token: string): Promise<void> {
  const { host, boot, pid, start } = machine;
  const descriptor = await disk.create(path);
  try {
    await disk.write(descriptor, renderLockRecord({ host, boot, pid, start, token }));
  } finally {
    await disk.close(descriptor);
  }
}

async function waitForLock(lock: Lock, own: string): Promise<void> {
  const started = performance.now();
  let seen: { readonly fingerprint: string; readonly sinceMs: number } | undefined;
  for (;;) {
    if (await tryTake(lock, own)) return;
    const holder = await readHolder(lock);
    if (holder === undefined) continue;
    const nowMs = performance.now();
    const fingerprint = `${holder.record?.token}@${holder.heartbeatMs}`;
    if (seen?.fingerprint !== fingerprint) seen = { fingerprint, sinceMs: nowMs };
    const watched = { ...holder, unchangedForMs: nowMs - seen.sinceMs };
    const clock = { nowMs: Date.now(), staleAfterMs: lock.timing.staleAfterMs };
    if (isAbandoned(watched, lock.machine, clock) && (await takeOver(lock, own, holder.record)))
      return;
    if (nowMs - started > lock.timing.timeoutMs) throw lockedError(lock, holder.record);
    // Jitter, so that waiting processes do not retry in lockstep.
    await delay(lock.timing.pollMs * (0.5 + Math.random()));
  }
}

async function tryTake({ path, disk }: Lock, own: string): Promise<boolean> {
  try {
    await disk.link(own, path);
    return true;
  } catch (error) {
    if (hasCode(error, "EEXIST")) return false;
    if (!hasCode(error, ...HARD_LINKS_UNSUPPORTED)) throw error;
    return await tryTakeWithoutLinks({ path, disk }, own);
  }
}

/**
 * For file systems without hard links. A process that dies between the two steps leaves an empty lock, which is replaced
 * once its heartbeat is stale.
 */
async function tryTakeWithoutLinks(
  { path, disk }: Pick<Lock, "path" | "disk">,
  own: string,
): Promise<boolean> {
  try {
    await disk.close(await disk.create(path));
  } catch (error) {
    if (hasCode(error, "EEXIST")) return false;
    throw error;
  }
  await disk.rename(own, path);
  return true;
}

/**
 * Replaces an abandoned record by ours. When several processes find it, each first takes a lock named after the dead
 * holder and then reads the holder again, so that none of them replaces the one that came first.
 */
async function takeOver(lock: Lock, own: string, dead: LockRecord | undefined): Promise<boolean> {
  const guard = { ...lock, path: `${lock.path}.${dead?.token ?? "unreadable"}.dead` };
  return await withLock(guard, async () => {
    const now = await readHolder(lock);
    if (now === undefined || now.record?.token !== dead?.token) return false;
    await lock.disk.rename(own, lock.path);
    return true;
  });
}

interface Holder {
  readonly record: LockRecord | undefined;
  readonly heartbeatMs: number;
}

/** Reads who holds the lock; `undefined` when it is free. */
async function readHolder({ path }: Lock): Promise<Holder | undefined> {
  const file = readTextFile(path, MAX_RECORD_BYTES, { refuseLinks: true });
  if (file.kind === "missing") return undefined;
  if (file.kind !== "text") {
    const code = file.kind === "not-a-file" ? "ENOTLOCK" : "EIO";
    throw Object.assign(new Error(`cannot use ${path} as a lock: ${file.message}`), { code });
  }
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats && { record: parseLockRecord(file.text), heartbeatMs: stats.mtimeMs };
}

/** Whether a file that a process created to take a lock is left over from a dead process of this host. */
export async function isStaleLock(path: string, machine: Machine): Promise<boolean> {
  const file = readTextFile(path, MAX_RECORD_BYTES, { refuseLinks: true });
  if (file.kind !== "text") return false;
  const record = parseLockRecord(file.text);
  if (record === undefined) {
    const pid = /\.(\d+)\.[\w-]+$/.exec(path)?.[1];
    return file.text === "" && pid !== undefined && !machine.isAlive(Number(pid), "");
  }
  const { host, boot, pid, start } = record;
  return host === machine.host && (boot !== machine.boot || !machine.isAlive(pid, start));
}

async function touchHeartbeat({ path, disk }: Lock): Promise<void> {
  try {
    await disk.touch(path);
  } catch (error) {
    // The lock is lost, or its disk is gone: the holder's next `assertHeld` reports that.
    if (!hasCode(error, "ENOENT", "EACCES", "EPERM", "EROFS", "EIO", "ESTALE")) throw error;
  }
}

async function assertHeld(lock: Lock, token: string): Promise<void> {
  const holder = await readHolder(lock);
  if (holder?.record?.token === token) return;
  const message = `another process took over ${lock.path} while this one was suspended`;
  throw Object.assign(new Error(message), { code: "ELOST" });
}

/**
 * Removes only this process's own record: a holder that was replaced must not release its successor's lock. The work
 * under the lock is done, so a failing disk is retried once and then ignored: the lock dies with this process.
 */
async function release(lock: Lock, token: string): Promise<void> {
  await tryTwice(async () => {
    const holder = await readHolder(lock);
    if (holder?.record?.token === token) await removeIfExists(lock.disk, lock.path);
  });
}

function lockedError({ path, machine }: Lock, record: LockRecord | undefined): Error {
  const where = record === undefined || record.host === machine.host ? "" : ` on ${record.host}`;
  const who = record === undefined ? "an unknown process" : `process ${record.pid}${where}`;
  const message = `${path} is locked by ${who}. If that process is suspended, resume or end it.`;
  return Object.assign(new Error(message), { code: "ELOCKED" });
}

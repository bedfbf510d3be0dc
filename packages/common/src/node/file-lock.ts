import { statSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { type Disk, nodeDisk } from "./disk.ts";
import { hasCode } from "./error-code.ts";
import { isAbandoned, type LockRecord, parseLockRecord, renderLockRecord } from "./lock-record.ts";
import { type Machine, thisMachine } from "./machine.ts";
import { readTextFile } from "./read-text-file.ts";
import { removeIfThere, removeQuietly, tryTwice } from "./remove-file.ts";

export interface FileLockInput {
  /** The lock file; its directory is there. */
  readonly path: string;
  readonly disk?: Disk;
  readonly machine?: Machine;
  readonly timing?: Partial<LockTiming>;
}

export interface LockTiming {
  readonly pollMs: number;
  /** How often a holder shows that it is there. */
  readonly heartbeatMs: number;
  /** After so long without a heartbeat a holder elsewhere is given up. */
  readonly silentAfterMs: number;
  /** After so long a live holder is waited for no more. */
  readonly patienceMs: number;
}

const TIMING: LockTiming = {
  pollMs: 10,
  heartbeatMs: 5_000,
  silentAfterMs: 30_000,
  patienceMs: 40_000,
};
const MAX_RECORD_BYTES = 4_096;
const NO_HARD_LINKS = ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"];

/** A lock that is held. */
export interface HeldLock {
  /**
   * To be called before every step that others would see: who was given up must not go on.
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
 * Runs an action while no other process, here or on another host, runs one under the same lock file.
 * @throws an error with code `ELOCKED` when a live holder keeps it for too long
 */
export async function withLock<T>(
  input: FileLockInput,
  action: (held: HeldLock) => Promise<T>,
): Promise<T> {
  const { path, disk = nodeDisk, machine = thisMachine() } = input;
  const lock: Lock = { path, disk, machine, timing: { ...TIMING, ...input.timing } };
  const token = crypto.randomUUID();
  await acquire(lock, token);
  const heartbeat = setInterval(() => void beat(lock), lock.timing.heartbeatMs).unref();
  try {
    return await action({ assertHeld: () => assertHeld(lock, token) });
  } finally {
    clearInterval(heartbeat);
    await release(lock, token);
  }
}

/** The record is whole before the lock has its name, so that nobody ever meets half of it. */
async function acquire(lock: Lock, token: string): Promise<void> {
  // The number is in the name, because a process may end before it has written its record.
  const own = `${lock.path}.${lock.machine.pid}.${token}`;
  try {
    await writeRecord(lock, own, token);
    await waitForTurn(lock, own);
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

async function waitForTurn(lock: Lock, own: string): Promise<void> {
  const started = performance.now();
  let seen: { readonly sign: string; readonly sinceMs: number } | undefined;
  /* oxlint-disable no-await-in-loop -- waiting is the point */
  for (;;) {
    if (await take(lock, own)) return;
    const holder = await look(lock);
    if (holder === undefined) continue;
    const nowMs = performance.now();
    const sign = `${holder.record?.token}@${holder.heartbeatMs}`;
    if (seen?.sign !== sign) seen = { sign, sinceMs: nowMs };
    const watched = { ...holder, unchangedForMs: nowMs - seen.sinceMs };
    const clock = { nowMs: Date.now(), silentAfterMs: lock.timing.silentAfterMs };
    if (isAbandoned(watched, lock.machine, clock) && (await takeOver(lock, own, holder.record)))
      return;
    if (nowMs - started > lock.timing.patienceMs) throw locked(lock, holder.record);
    // Not all at the same instant.
    await delay(lock.timing.pollMs * (0.5 + Math.random()));
  }
  /* oxlint-enable no-await-in-loop */
}

async function take({ path, disk }: Lock, own: string): Promise<boolean> {
  try {
    await disk.link(own, path);
    return true;
  } catch (error) {
    if (hasCode(error, "EEXIST")) return false;
    if (!hasCode(error, ...NO_HARD_LINKS)) throw error;
    return await takeWithoutLinks({ path, disk }, own);
  }
}

/** Where a file has only one name. Whoever dies between the two steps is given up like a holder elsewhere. */
async function takeWithoutLinks(
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
 * Puts our record in place of an abandoned one. Of several that find it, one at a time may: each first takes a lock
 * named after the dead holder, and then looks again. So nobody ever replaces the one who came first.
 */
async function takeOver(lock: Lock, own: string, dead: LockRecord | undefined): Promise<boolean> {
  const guard = { ...lock, path: `${lock.path}.${dead?.token ?? "unreadable"}.dead` };
  return await withLock(guard, async () => {
    const now = await look(lock);
    if (now === undefined || now.record?.token !== dead?.token) return false;
    await lock.disk.rename(own, lock.path);
    return true;
  });
}

interface SeenLock {
  readonly record: LockRecord | undefined;
  readonly heartbeatMs: number;
}

/** Who holds the lock; `undefined` when nobody does any more. */
async function look({ path }: Lock): Promise<SeenLock | undefined> {
  const file = await readTextFile(path, MAX_RECORD_BYTES, { refuseLinks: true });
  if (file.kind === "missing") return undefined;
  if (file.kind !== "text") {
    const code = file.kind === "not-a-file" ? "ENOTLOCK" : "EIO";
    throw Object.assign(new Error(`${path} cannot be used as a lock: ${file.message}`), { code });
  }
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats && { record: parseLockRecord(file.text), heartbeatMs: stats.mtimeMs };
}

/** Whether a file that somebody made on the way to a lock belongs to a process of this host that is gone. */
export async function isLockOfNobody(path: string, machine: Machine): Promise<boolean> {
  const file = await readTextFile(path, MAX_RECORD_BYTES, { refuseLinks: true });
  if (file.kind !== "text") return false;
  const record = parseLockRecord(file.text);
  if (record === undefined) {
    const pid = /\.(\d+)\.[\w-]+$/.exec(path)?.[1];
    return file.text === "" && pid !== undefined && !machine.isAlive(Number(pid), "");
  }
  const { host, boot, pid, start } = record;
  return host === machine.host && (boot !== machine.boot || !machine.isAlive(pid, start));
}

async function beat({ path, disk }: Lock): Promise<void> {
  try {
    await disk.touch(path);
  } catch (error) {
    // Lost or on a disk that went away: the next step of the holder finds out.
    if (!hasCode(error, "ENOENT", "EACCES", "EPERM", "EROFS", "EIO", "ESTALE")) throw error;
  }
}

async function assertHeld(lock: Lock, token: string): Promise<void> {
  const holder = await look(lock);
  if (holder?.record?.token === token) return;
  const sentence = `another process took over ${lock.path} while this one was suspended`;
  throw Object.assign(new Error(sentence), { code: "ELOST" });
}

/**
 * Only one's own: who was given up must not open the lock of whoever came after. What was done under the lock is
 * done, so a disk that fails now is tried again and then left: the lock is this process's, and ends with it.
 */
async function release(lock: Lock, token: string): Promise<void> {
  await tryTwice(async () => {
    const holder = await look(lock);
    if (holder?.record?.token === token) await removeIfThere(lock.disk, lock.path);
  });
}

function locked({ path, machine }: Lock, record: LockRecord | undefined): Error {
  const where = record === undefined || record.host === machine.host ? "" : ` on ${record.host}`;
  const who =
    record === undefined ? "a process that cannot be told" : `process ${record.pid}${where}`;
  const sentence = `${path} is held by ${who}; if it is suspended, resume or end it`;
  return Object.assign(new Error(sentence), { code: "ELOCKED" });
}

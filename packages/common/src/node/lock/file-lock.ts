import { dirname } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type Disk, nodeDisk } from "../disk.ts";
import { hasCode } from "../error-code.ts";
import { randomHex } from "../random-hex.ts";
import { removeIfExists, removeQuietly, tryTwice } from "../remove-file.ts";
import {
  type Holder,
  isHeldBy,
  type Lock,
  type LockTiming,
  type OwnRecord,
  readHolder,
  tryTake,
  writeRecord,
} from "./lock-file.ts";
import { isAbandoned, type LockRecord } from "./lock-record.ts";
import { type Machine, thisMachine } from "./machine.ts";
import { type IsAbandoned, takeOver } from "./take-over.ts";

export interface FileLockInput {
  /** The lock file; its directory exists. */
  readonly path: string;
  readonly disk?: Disk;
  readonly machine?: Machine;
  readonly timing?: Partial<LockTiming>;
}

const TIMING: LockTiming = {
  pollMs: 10,
  heartbeatMs: 5_000,
  staleAfterMs: 30_000,
  timeoutMs: 40_000,
};

/** A lock that this process holds. */
export interface HeldLock {
  /**
   * Must be called before every step that other processes can see: a holder that was replaced must stop.
   * @throws an error with code `ELOST`
   */
  readonly assertHeld: () => Promise<void>;
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
  const token = randomHex(16);
  // The process number is in the name, because a process may die before it has written its record.
  const own = { path: `${path}.${machine.pid}.${token}`, token };
  await acquire(lock, own);
  const heartbeat = setInterval(() => void touchHeartbeat(lock), lock.timing.heartbeatMs).unref();
  try {
    return await action({ assertHeld: async () => assertHeld(lock, own) });
  } finally {
    clearInterval(heartbeat);
    await release(lock, own);
  }
}

/** Writes the whole record before the lock gets its name, so that no process ever reads half of it. */
async function acquire(lock: Lock, own: OwnRecord): Promise<void> {
  try {
    await writeRecord(lock, own);
    await waitForLock(lock, own);
  } finally {
    await removeQuietly(lock.disk, own.path);
  }
}

async function waitForLock(lock: Lock, own: OwnRecord): Promise<void> {
  const started = performance.now();
  const isGone = createAbandonedTest(lock);
  for (;;) {
    if (await tryTake(lock, own)) return;
    const holder = readHolder(lock.path);
    if (holder === undefined) continue;
    const isTaken =
      isGone(lock.path, holder) &&
      (await takeOver({ lock, own, dead: holder, isAbandoned: isGone }));
    if (isTaken) return;
    if (performance.now() - started > lock.timing.timeoutMs) throw lockedError(lock, holder.record);
    // Jitter, so that waiting processes do not retry in lockstep.
    await delay(lock.timing.pollMs * (0.5 + Math.random()));
  }
}

/** Remembers how long each file has not changed: the clock of another host says nothing. */
function createAbandonedTest({ machine, timing: { staleAfterMs } }: Lock): IsAbandoned {
  const seen = new Map<string, { readonly fingerprint: string; readonly sinceMs: number }>();
  return (path, { record, heartbeatMs }: Holder) => {
    const nowMs = performance.now();
    const fingerprint = `${record?.token}@${heartbeatMs}`;
    if (seen.get(path)?.fingerprint !== fingerprint)
      seen.set(path, { fingerprint, sinceMs: nowMs });
    const unchangedForMs = nowMs - (seen.get(path)?.sinceMs ?? nowMs);
    const clock = { nowMs: Date.now(), staleAfterMs };
    return isAbandoned({ record, heartbeatMs, unchangedForMs }, machine, clock);
  };
}

async function touchHeartbeat({ path, disk }: Lock): Promise<void> {
  try {
    await disk.touch(path);
  } catch (error) {
    // The lock is lost, or its disk is gone: the holder's next `assertHeld` reports that.
    if (!hasCode(error, "ENOENT", "EACCES", "EPERM", "EROFS", "EIO", "ESTALE")) throw error;
  }
}

function assertHeld({ path }: Lock, own: OwnRecord): void {
  if (isHeldBy(path, own)) return;
  const message = `another process took over ${path} while this one was suspended`;
  throw Object.assign(new Error(message), { code: "ELOST" });
}

/**
 * Removes only this process's own record: a holder that was replaced must not release its successor's lock. The work
 * under the lock is done, so a failing disk is retried once and then ignored: the lock dies with this process.
 */
async function release({ path, disk }: Lock, own: OwnRecord): Promise<void> {
  await tryTwice(async () => {
    if (isHeldBy(path, own)) await removeIfExists(disk, path);
  });
}

function lockedError({ path, machine }: Lock, record: LockRecord | undefined): Error {
  const where = record === undefined || record.host === machine.host ? "" : ` on ${record.host}`;
  const who = record === undefined ? "an unknown process" : `process ${record.pid}${where}`;
  const message = `${path} is locked by ${who}. If that process is suspended, resume or end it.`;
  return Object.assign(new Error(message), { code: "ELOCKED" });
}

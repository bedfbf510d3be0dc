import type { Machine } from "./machine.ts";

/** Who holds a lock, as it stands in the lock file. */
export interface LockRecord {
  readonly host: string;
  readonly boot: string;
  readonly pid: number;
  readonly start: string;
  /** Made anew each time, so that one holder is never taken for another. */
  readonly token: string;
}

/** What was seen of a lock file, and since when its heartbeat has not moved. */
export interface WatchedLock {
  /** `undefined` for a file that holds no record. */
  readonly record: LockRecord | undefined;
  readonly heartbeatMs: number;
  readonly unchangedForMs: number;
}

export function renderLockRecord({ host, boot, pid, start, token }: LockRecord): string {
  return `${JSON.stringify({ host, boot, pid, start, token })}\n`;
}

/** `undefined` for anything but a record that we wrote. */
export function parseLockRecord(text: string): LockRecord | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null) return undefined;
    const field = (name: string): unknown => Reflect.get(value, name);
    const [host, boot, pid, start, token] = ["host", "boot", "pid", "start", "token"].map(field);
    const isRecord =
      typeof host === "string" &&
      typeof boot === "string" &&
      typeof pid === "number" &&
      typeof start === "string" &&
      typeof token === "string" &&
      /^[\w-]+$/.test(token);
    return isRecord ? { host, boot, pid, start, token } : undefined;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return undefined;
  }
}

/**
 * Whether a holder may be replaced. One of this host and boot: when its process is gone, and only then, because a
 * suspended one goes on some day. Any other: when its heartbeat stopped, by this machine's clock where the two share
 * one, else as long as we have watched.
 */
export function isAbandoned(
  { record, heartbeatMs, unchangedForMs }: WatchedLock,
  machine: Machine,
  { nowMs, silentAfterMs }: { readonly nowMs: number; readonly silentAfterMs: number },
): boolean {
  if (record?.host === machine.host && record.boot === machine.boot) {
    return !machine.isAlive(record.pid, record.start);
  }
  // What holds no record was made on this machine, or by nobody of ours.
  const isOwnClock = record === undefined || record.host === machine.host;
  const silentForMs = isOwnClock ? Math.abs(nowMs - heartbeatMs) : unchangedForMs;
  return Math.max(silentForMs, unchangedForMs) >= silentAfterMs;
}

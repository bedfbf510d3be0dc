import { parseJsonRecord } from "../../json.ts";
import type { Machine } from "./machine.ts";

/** The holder of a lock, as recorded in the lock file. */
export interface LockRecord {
  readonly host: string;
  readonly boot: string;
  readonly pid: number;
  readonly start: string;
  /** Unique to each acquisition, so that one holder is never mistaken for another. */
  readonly token: string;
}

/** An observed lock file, and how long its heartbeat has not changed. */
export interface WatchedLock {
  /** `undefined` for a file without a valid record. */
  readonly record: LockRecord | undefined;
  readonly heartbeatMs: number;
  readonly unchangedForMs: number;
}

export function renderLockRecord({ host, boot, pid, start, token }: LockRecord): string {
  return `${JSON.stringify({ host, boot, pid, start, token })}\n`;
}

/** `undefined` for anything but a record written by `renderLockRecord`. */
export function parseLockRecord(text: string): LockRecord | undefined {
  const { host, boot, pid, start, token } = parseJsonRecord(text) ?? {};
  const isValid =
    typeof host === "string" &&
    typeof boot === "string" &&
    typeof pid === "number" &&
    typeof start === "string" &&
    typeof token === "string" &&
    /^[\w-]+$/.test(token);
  return isValid ? { host, boot, pid, start, token } : undefined;
}

/**
 * Whether a holder may be replaced. A holder on this host and boot: only when its process is gone, because a suspended
 * process may continue later. Any other holder: when its heartbeat stopped, measured by the clock that both share, or
 * otherwise by how long this process has been watching.
 */
export function isAbandoned(
  { record, heartbeatMs, unchangedForMs }: WatchedLock,
  machine: Machine,
  { nowMs, staleAfterMs }: { readonly nowMs: number; readonly staleAfterMs: number },
): boolean {
  if (record?.host === machine.host && record.boot === machine.boot) {
    return !machine.isAlive(record.pid, record.start);
  }
  // A file without a record was made on this machine, or not by caliban at all.
  const sharesClock = record === undefined || record.host === machine.host;
  const idleMs = sharesClock ? Math.abs(nowMs - heartbeatMs) : unchangedForMs;
  return Math.max(idleMs, unchangedForMs) >= staleAfterMs;
}

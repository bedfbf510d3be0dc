import { statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { listNames } from "../fs.ts";
import { readTextFile } from "../read-text-file.ts";
import { removeQuietly } from "../remove-file.ts";
import { type Lock, MAX_RECORD_BYTES } from "./lock-file.ts";
import { parseLockRecord } from "./lock-record.ts";
import type { Machine } from "./machine.ts";

/** Longer than it takes to write a record. */
const MAX_WRITING_MS = 60_000;

/** Whether a file that a process created to take a lock is left over from a dead process of this host. */
export async function isStaleLock(path: string, machine: Machine): Promise<boolean> {
  const file = readTextFile(path, MAX_RECORD_BYTES, { refuseLinks: true });
  if (file.kind !== "text") return false;
  const record = parseLockRecord(file.text);
  if (record === undefined) return file.text === "" && isNeverWritten(path, machine);
  const { host, boot, pid, start } = record;
  return host === machine.host && (boot !== machine.boot || !machine.isAlive(pid, start));
}

/** A process may die before it has written its record: its number is in the name, except in that of a guard. */
function isNeverWritten(path: string, machine: Machine): boolean {
  const pid = /\.(\d+)\.[\w-]+$/.exec(path)?.[1];
  if (pid !== undefined) return !machine.isAlive(Number(pid), "");
  if (!path.endsWith(".dead")) return false;
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats !== undefined && Math.abs(Date.now() - stats.mtimeMs) > MAX_WRITING_MS;
}

/** Removes what dead processes left next to a lock that this process holds: no guard of it is in use now. */
export async function removeStaleParts({
  path,
  disk,
  machine,
}: Pick<Lock, "path" | "disk" | "machine">): Promise<void> {
  const prefix = `${basename(path)}.`;
  for (const name of listNames(dirname(path)).filter((each) => each.startsWith(prefix))) {
    const part = join(dirname(path), name);
    if (await isStaleLock(part, machine)) await removeQuietly(disk, part);
  }
}

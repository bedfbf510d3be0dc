import { removeQuietly } from "../remove-file.ts";
import {
  type Holder,
  type Lock,
  type OwnRecord,
  readHolder,
  replaceRecord,
  tryTakeGuard,
} from "./lock-file.ts";
import { removeStaleParts } from "./stale-parts.ts";

/** Whether the holder of a lock or of a guard is gone. */
export type IsAbandoned = (path: string, holder: Holder) => boolean;

interface TakeOverInput {
  readonly lock: Lock;
  readonly own: OwnRecord;
  /** The abandoned holder of the lock. */
  readonly dead: Holder;
  readonly isAbandoned: IsAbandoned;
}

/**
 * Replaces an abandoned record by ours; returns whether that worked. Of several processes that find it, only the one with
 * the guard may replace it. A guard is named after the dead holder and has the record of the process that takes over. If
 * that process died, too, its successor needs the guard named after it, and so on: names stay short, and any number of
 * processes may die. The process that gets the last guard reads the lock again, because another process may have finished before.
 */
export async function takeOver(input: TakeOverInput): Promise<boolean> {
  const { lock, own, dead } = input;
  const guards = await climbGuards(input);
  if (guards.length === 0) return false;
  let isTaken = false;
  try {
    if (isSameHolder(readHolder(lock.path), dead)) {
      await replaceRecord(lock, own);
      isTaken = true;
    }
  } finally {
    // Only the last one is ours, until the lock is.
    for (const guard of isTaken ? guards : guards.slice(-1)) await removeQuietly(lock.disk, guard);
  }
  if (isTaken) await removeStaleParts(lock);
  return isTaken;
}

/** The guards from the dead holder up to the one that this process took; none if a live process has one of them. */
async function climbGuards({
  lock,
  own,
  dead,
  isAbandoned,
}: TakeOverInput): Promise<readonly string[]> {
  const guards: string[] = [];
  for (let below = dead; ;) {
    const path = guardPath(lock, below, guards.length);
    // No guard leads back to an earlier one, unless another program wrote it.
    if (guards.includes(path) || isGuardedByNesting(guards.at(-1), below, isAbandoned)) return [];
    guards.push(path);
    if (await tryTakeGuard(lock, path, own)) return guards;
    const holder = readHolder(path);
    if (holder === undefined || !isAbandoned(path, holder)) return [];
    below = holder;
  }
}

function guardPath({ path }: Lock, { record, inode }: Holder, level: number): string {
  const unreadable = level === 0 ? "unreadable" : `unreadable-${inode}`;
  return `${path}.${record?.token ?? unreadable}.dead`;
}

/** Whether a live process of version 0.0.0 takes over this guard: it appends to the name of the guard. */
function isGuardedByNesting(
  guard: string | undefined,
  { record }: Holder,
  isAbandoned: IsAbandoned,
): boolean {
  if (guard === undefined) return false;
  const nested = `${guard}.${record?.token ?? "unreadable"}.dead`;
  const holder = readHolder(nested);
  return holder !== undefined && !isAbandoned(nested, holder);
}

function isSameHolder(now: Holder | undefined, before: Holder): boolean {
  if (now === undefined || now.record?.token !== before.record?.token) return false;
  return now.record !== undefined || now.inode === before.inode;
}

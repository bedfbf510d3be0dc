import { join } from "node:path";
import { type Disk, isStaleLock, type Machine, removeQuietly } from "@caliban/common/node";
import { namesIn, statsOf } from "../files/topic-files.ts";

const TEMPORARY = /^[^.].*\.md(?:\.old)?\.tmp$/;
const ASIDE = /\.md\.old\.tmp$/;
const LOCK_PART = /^\.lock\./;

/** Whether a name is of a file that is there only in the middle of a write. */
export function isLeftover(name: string): boolean {
  return TEMPORARY.test(name);
}

/**
 * Removes what writers left behind who died, but for files that were moved aside, which may be somebody else's. The
 * lock is held, so none of it is in use.
 */
export async function removeLeftovers(
  directory: string,
  { disk, machine }: { readonly disk: Disk; readonly machine: Machine },
): Promise<void> {
  for (const name of namesIn(directory).filter(isOnTheWay)) {
    const path = join(directory, name);
    // oxlint-disable-next-line no-await-in-loop -- hardly ever more than one
    const isLeft = isLeftover(name) || (await isStaleLock(path, machine));
    // oxlint-disable-next-line no-await-in-loop
    if (isLeft && statsOf(path)?.isFile() === true) await removeQuietly(disk, path);
  }
}

function isOnTheWay(name: string): boolean {
  return (isLeftover(name) && !ASIDE.test(name)) || LOCK_PART.test(name);
}

import { join } from "node:path";
import { isStaleLock, listNames, thisMachine } from "@caliban/common/node";

const LOCK = ".jsonl.lock";

/** The ids of the sessions in a directory that a running process holds open. */
export async function listLockedSessions(directory: string): Promise<readonly string[]> {
  const locks = listNames(directory).filter((name) => name.endsWith(LOCK));
  const machine = thisMachine();
  const held = await Promise.all(
    locks.map(async (name) => !(await isStaleLock(join(directory, name), machine))),
  );
  return locks.filter((_, index) => held[index]).map((name) => name.slice(0, -LOCK.length));
}

import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { hasCode, isStaleLock, thisMachine } from "@caliban/common/node";

const LOCK = ".jsonl.lock";

/** The ids of sessions in a directory that some process goes on with. */
export async function lockedSessions(directory: string): Promise<readonly string[]> {
  const locks = (await namesIn(directory)).filter((name) => name.endsWith(LOCK));
  const machine = thisMachine();
  const held = await Promise.all(
    locks.map(async (name) => !(await isStaleLock(join(directory, name), machine))),
  );
  return locks.filter((_, index) => held[index]).map((name) => name.slice(0, -LOCK.length));
}

async function namesIn(directory: string): Promise<readonly string[]> {
  try {
    return await readdir(directory);
  } catch (error) {
    if (!hasCode(error, "ENOENT", "ENOTDIR", "EACCES", "EPERM")) throw error;
    return [];
  }
}

import { basename } from "node:path";
import { type Disk, errorCode, hasCode, removeQuietly } from "@caliban/common/node";
import { INDEX_FILE } from "../../../topics/limits.ts";
import { isPlainFile } from "../files/plain-file.ts";
import { statsOf } from "../files/topic-files.ts";

/**
 * Gives a file a name, unless somebody has it; whether it was free. Where no second name can be made, because the disk
 * is full or knows none, the only one is changed.
 */
export async function moveIfFree(disk: Disk, from: string, to: string): Promise<boolean> {
  isPlainFile(from);
  try {
    await disk.link(from, to);
  } catch (error) {
    if (hasCode(error, "EEXIST")) return false;
    if (errorCode(error) === undefined) throw error;
    if (isPlainFile(to)) return false;
    await disk.rename(from, to);
    return true;
  }
  await removeQuietly(disk, from);
  return true;
}

const KEPT = ".kept.tmp";

/** Whether a name is of an index that waits to be merged. */
export function isIndexConflictCopy(name: string): boolean {
  return name.startsWith(INDEX_FILE) && name.endsWith(KEPT);
}

/**
 * Keeps what somebody else wrote and whose name is taken: an index until it is merged, and a topic beside the other, where
 * people and `doctor` find it. Each has a name of its own, because there may be several.
 */
export async function saveConflictCopy(disk: Disk, from: string, path: string): Promise<void> {
  if (basename(path) === INDEX_FILE) {
    await disk.rename(from, `${path}.${crypto.randomUUID()}${KEPT}`);
    return;
  }
  const stem = path.replace(/\.md$/, "");
  for (let number = 1; ; number++) {
    const name = `${stem}.kept${number === 1 ? "" : `-${number}`}.md`;
    // oxlint-disable-next-line no-await-in-loop -- the first that is free
    if (statsOf(name) === undefined && (await moveIfFree(disk, from, name))) return;
  }
}

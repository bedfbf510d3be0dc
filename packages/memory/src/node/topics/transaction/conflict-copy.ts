import { basename } from "node:path";
import type { Disk } from "@caliban/common/node";
import { INDEX_FILE } from "../../../topics/limits.ts";
import { moveIfFree } from "../files/plain-file.ts";
import { lstatUnlessMissing } from "../files/topic-files.ts";

const INDEX_COPY_SUFFIX = ".kept.tmp";

/** Whether a name is that of an index copy that waits to be merged. */
export function isIndexConflictCopy(name: string): boolean {
  return name.startsWith(INDEX_FILE) && name.endsWith(INDEX_COPY_SUFFIX);
}

/** A new name for a copy of the index that is to be merged. */
export function indexCopyPath(path: string): string {
  return `${path}.${crypto.randomUUID()}${INDEX_COPY_SUFFIX}`;
}

/**
 * Keeps the text of another program whose name is taken: an index until it is merged, a topic next to the other one, where
 * users and `doctor` find it. Every copy gets its own name, because there may be several.
 */
export async function saveConflictCopy(disk: Disk, from: string, path: string): Promise<void> {
  if (basename(path) === INDEX_FILE) {
    await disk.rename(from, indexCopyPath(path));
    return;
  }
  const stem = path.replace(/\.md$/, "");
  for (let number = 1; ; number++) {
    const name = `${stem}.kept${number === 1 ? "" : `-${number}`}.md`;
    if (lstatUnlessMissing(name) === undefined && (await moveIfFree(disk, from, name))) return;
  }
}

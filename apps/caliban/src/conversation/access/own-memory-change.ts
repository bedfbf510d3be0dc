import { join } from "node:path";
import { readTextFile } from "@caliban/common/node";
import { INDEX_FILE, MAX_BODY_BYTES } from "@caliban/memory";
import type { Project } from "../../project/project.ts";

/** A change is stamped a moment before its files are there. */
const STAMPED_BEFORE_MS = 2_000;
const MOST_BYTES = 2 * MAX_BODY_BYTES;

/**
 * Tells whether a file of the notes is as the store wrote it, in this process or another one: everything else that
 * changed it is a hand edit.
 */
export function createOwnMemoryChange({
  topics,
}: Pick<Project, "topics">): (name: string, sinceMs: number) => Promise<boolean> {
  return async (name, sinceMs) => {
    const { store, directory } = await topics();
    const log = await store.log();
    if (name === INDEX_FILE) {
      // It follows every change, and no history keeps its text.
      return log.some(
        ({ at, who }) => who !== "other" && Date.parse(at) >= sinceMs - STAMPED_BEFORE_MS,
      );
    }
    const last = log.find(({ files }) => files.some(({ slug }) => `${slug}.md` === name));
    const written = last?.files.find(({ slug }) => `${slug}.md` === name);
    // What others did is in the history as well, once it was noticed.
    if (written === undefined || last?.who === "other") return false;
    const file = await readTextFile(join(directory, name), MOST_BYTES);
    return written.after === (file.kind === "text" ? file.text : null);
  };
}

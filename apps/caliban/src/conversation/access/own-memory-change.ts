import { join } from "node:path";
import { readTextFile } from "@caliban/common/node";
import { INDEX_FILE, MAX_BODY_BYTES } from "@caliban/memory";
import type { Project } from "../../project/project.ts";

/** A change is stamped shortly before its files are written. */
const STAMPED_BEFORE_MS = 2_000;
const MAX_BYTES = 2 * MAX_BODY_BYTES;

/**
 * Creates the test for whether a file is as the topic store wrote it, in this process or another one. Any other change
 * is a hand edit.
 */
export function createOwnMemoryChange({
  topics,
}: Pick<Project, "topics">): (name: string, sinceMs: number) => Promise<boolean> {
  return async (name, sinceMs) => {
    const { store, directory } = await topics();
    const log = await store.log();
    if (name === INDEX_FILE) {
      // Every change rewrites the index, and the history does not contain its text.
      return log.some(
        ({ at, who }) => who !== "other" && Date.parse(at) >= sinceMs - STAMPED_BEFORE_MS,
      );
    }
    const last = log.find(({ files }) => files.some(({ slug }) => `${slug}.md` === name));
    const written = last?.files.find(({ slug }) => `${slug}.md` === name);
    // External changes are in the history too, once they were noticed.
    if (written === undefined || last?.who === "other") return false;
    const file = readTextFile(join(directory, name), MAX_BYTES);
    return written.after === (file.kind === "text" ? file.text : null);
  };
}

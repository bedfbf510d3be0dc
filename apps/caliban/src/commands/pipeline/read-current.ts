import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { hasCode } from "@caliban/common/node";

/** Which generation new sessions see, and since when. */
export interface CurrentFacts {
  readonly generation: string;
  readonly sinceMs: number;
}

const LONGEST_NAME = 20;

/** `undefined` where nothing was learned yet. Only the name is looked at. */
export async function readCurrent(directory: string): Promise<CurrentFacts | undefined> {
  const path = join(directory, "current");
  try {
    const [text, { mtimeMs }] = await Promise.all([readFile(path, "utf8"), stat(path)]);
    return { generation: text.trim().slice(0, LONGEST_NAME), sinceMs: mtimeMs };
  } catch (error) {
    if (!hasCode(error, "ENOENT", "ENOTDIR", "EACCES", "EPERM", "EISDIR", "ELOOP")) throw error;
    return undefined;
  }
}

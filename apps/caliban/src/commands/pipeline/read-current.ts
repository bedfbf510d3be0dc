import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { hasCode } from "@caliban/common/node";

/** Which generation new sessions see, and since when. */
export interface CurrentFacts {
  /** `undefined` when what is there names none. */
  readonly generation: number | undefined;
  /** Whether it is where it should be. */
  readonly isThere: boolean;
  /** When it was made; when it is not there, since when it is looked for. */
  readonly madeAtMs: number;
  readonly sinceMs: number;
}

/** `undefined` where nothing was learned yet. Only the name is read, and whether it leads somewhere. */
export async function readCurrent(directory: string): Promise<CurrentFacts | undefined> {
  const path = join(directory, "current");
  const since = await timeOf(path);
  const text = since === undefined ? undefined : await ifThere(readFile(path, "utf8"));
  if (since === undefined || text === undefined) return undefined;
  const digits = /^[1-9]\d{0,14}$/.exec(text.trim())?.[0];
  // Written once, with the rest of the generation.
  const made =
    digits === undefined
      ? undefined
      : await timeOf(join(directory, "generations", digits, "generation.json"));
  return {
    generation: digits === undefined ? undefined : Number(digits),
    isThere: made !== undefined,
    madeAtMs: made ?? since,
    sinceMs: since,
  };
}

async function timeOf(path: string): Promise<number | undefined> {
  const found = await ifThere(stat(path));
  return found === undefined ? undefined : Math.trunc(found.mtimeMs);
}

async function ifThere<Result>(result: Promise<Result>): Promise<Result | undefined> {
  try {
    return await result;
  } catch (error) {
    if (!hasCode(error, "ENOENT", "ENOTDIR", "EACCES", "EPERM", "EISDIR", "ELOOP")) throw error;
    return undefined;
  }
}

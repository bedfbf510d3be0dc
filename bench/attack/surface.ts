import { mkdtemp, readdir, readFile, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** One attempt, and whether the attacker got what they wanted. */
export interface Attempt {
  readonly name: string;
  readonly succeeded: boolean;
}

/** Why nothing was attempted: this machine lacks what is attacked. */
interface Skipped {
  readonly skipped: string;
}

/** A part of the product that others can reach with data of theirs. */
export interface Surface {
  readonly name: string;
  /**
   * Makes every attempt. Throws if ordinary use does not work, because a refusal means nothing where everything is
   * refused.
   */
  readonly attack: () => Promise<readonly Attempt[] | Skipped>;
}

/** In files that the attacker must neither read nor change. */
export const SECRET = "the-text-that-must-stay-hidden";

/** Throws unless the ordinary case works. */
export function requireOrdinary(works: boolean, what: string): void {
  if (!works) throw new Error(`the attack is set up wrong: ${what}`);
}

/** Calls a function with a new directory, which is removed afterwards. */
export async function withDirectory<Result>(
  use: (directory: string) => Promise<Result>,
): Promise<Result> {
  const directory = await realpath(await mkdtemp(join(tmpdir(), "caliban-attack-")));
  try {
    return await use(directory);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** The names and texts of all regular files below a directory, as one text. Links are named, not followed. */
export async function contentOf(directory: string, except?: string): Promise<string> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const texts = await Promise.all(
    entries
      .filter((entry) => except === undefined || !`${pathOf(entry)}/`.startsWith(`${except}/`))
      .toSorted((one, other) => (pathOf(one) < pathOf(other) ? -1 : 1))
      .map(async (entry) =>
        entry.isFile()
          ? `${pathOf(entry)}\n${await readFile(pathOf(entry), "utf8")}`
          : pathOf(entry),
      ),
  );
  return texts.join("\n");
}

function pathOf({
  parentPath,
  name,
}: {
  readonly parentPath: string;
  readonly name: string;
}): string {
  return join(parentPath, name);
}

/** What a call returned or threw, as a text to search. */
export async function resultText(action: () => Promise<unknown>): Promise<string> {
  try {
    return JSON.stringify(await within(action())) ?? "";
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

const MAX_SECONDS = 30;

/** A call that never ends, such as one that reads a pipe, is a success of the attacker. */
async function within<Value>(promise: Promise<Value>): Promise<Value> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${SECRET}: no answer`)), MAX_SECONDS * 1000);
  });
  try {
    return await Promise.race([promise, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

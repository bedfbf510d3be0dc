import { chmodSync, type Dirent, lstatSync, readdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { errorCode, lstatIfExists } from "@caliban/common/node";

const OWNER_MAY_SEARCH = 0o500;
const MAX_ATTEMPTS = 100;

/**
 * Makes sure that everything below a directory can be searched: its owner may list it, and names are valid UTF-8.
 * Returns the directories that have another name now.
 */
export function makeSearchable(directory: string): readonly string[] {
  const renamed: string[] = [];
  const queue = [directory];
  for (const each of queue) {
    allowSearch(each);
    for (const name of directoriesIn(each)) {
      const path = decodedPath(each, name);
      if (path === undefined) continue;
      if (!isDecodable(name)) renamed.push(path);
      queue.push(path);
    }
  }
  return renamed;
}

function allowSearch(directory: string): void {
  const stats = lstatIfExists(directory);
  if (stats === undefined || (stats.mode & OWNER_MAY_SEARCH) === OWNER_MAY_SEARCH) return;
  ignoreSystemError(() => chmodSync(directory, (stats.mode & 0o7777) | OWNER_MAY_SEARCH));
}

function directoriesIn(directory: string): readonly Buffer[] {
  const options = { withFileTypes: true, encoding: "buffer" } as const;
  // Bun returns names without their types.
  const entries: readonly (Dirent<Buffer> | Buffer)[] =
    ignoreSystemError(() => readdirSync(directory, options)) ?? [];
  return entries.flatMap((entry) => {
    if (!Buffer.isBuffer(entry)) return entry.isDirectory() ? [entry.name] : [];
    return isDirectory(Buffer.concat([Buffer.from(`${directory}/`), entry])) ? [entry] : [];
  });
}

function isDirectory(path: Buffer): boolean {
  return ignoreSystemError(() => lstatSync(path).isDirectory()) ?? false;
}

function isDecodable(name: Buffer): boolean {
  return Buffer.from(name.toString()).equals(name);
}

/** The path of a directory, which is renamed if there is none. `undefined` if it cannot be renamed. */
function decodedPath(parent: string, name: Buffer): string | undefined {
  const path = join(parent, name.toString());
  if (isDecodable(name)) return path;
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const target = attempt === 1 ? path : `${path}-${attempt}`;
    if (lstatIfExists(target) !== undefined) continue;
    return ignoreSystemError(() => {
      renameSync(Buffer.concat([Buffer.from(`${parent}/`), name]), target);
      return target;
    });
  }
  return undefined;
}

/** What fails here is still unsearchable afterwards, and reported as that. */
function ignoreSystemError<Result>(action: () => Result): Result | undefined {
  try {
    return action();
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return undefined;
  }
}

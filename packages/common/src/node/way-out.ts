import { readlinkSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { isSymlink, realPathIfExists } from "./fs.ts";

/**
 * Where a path in a directory really leads, if a link on the way leads out of that directory; `undefined` for any other
 * path. The path does not have to exist.
 */
export function findWayOut(directory: string, path: string): string | undefined {
  const root = realPathIfExists(directory) ?? directory;
  if (!isInside(directory, path) && !isInside(root, path)) return undefined;
  const target = findTarget(path);
  return isInside(root, target) ? undefined : target;
}

function isInside(directory: string, path: string): boolean {
  const below = relative(directory, path);
  return below !== ".." && !below.startsWith(`..${sep}`) && !isAbsolute(below);
}

/** The real path of the part that exists, with the names that do not exist yet. */
function findTarget(path: string): string {
  const missing: string[] = [];
  for (let current = path; ; current = dirname(current)) {
    const real = realPathIfExists(current);
    if (real !== undefined) return join(real, ...missing);
    // Its target may be created later.
    if (isSymlink(current)) return resolve(dirname(current), readlinkSync(current), ...missing);
    if (dirname(current) === current) return path;
    missing.unshift(basename(current));
  }
}

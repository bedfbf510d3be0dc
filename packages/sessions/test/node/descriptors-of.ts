import { fstatSync, readdirSync, statSync } from "node:fs";

/** How many descriptors of this process are of a file. Other tests have files of their own open. */
export function descriptorsOf(path: string): number {
  const { ino, dev } = statSync(path);
  return readdirSync("/dev/fd").filter((name) => {
    try {
      const stats = fstatSync(Number(name));
      return stats.ino === ino && stats.dev === dev;
    } catch {
      // It was the one that listed them.
      return false;
    }
  }).length;
}

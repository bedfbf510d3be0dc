import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Everything in a directory that a write would change, by name. */
export function treeOf(directory: string): readonly unknown[] {
  return [".", ...readdirSync(directory, { recursive: true, encoding: "utf8" }).toSorted()].map(
    (name) => {
      const path = join(directory, name);
      const { mtimeMs, ctimeMs, size, mode, ino } = lstatSync(path);
      const text = lstatSync(path).isFile() ? readFileSync(path, "utf8") : "";
      return { name, mtimeMs, ctimeMs, size, mode, ino, text };
    },
  );
}

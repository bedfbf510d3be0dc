// Changes a directory of topics in every way that files can change: written, replaced, removed, turned into a directory or a link.
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const [directory = "", steps = ""] = process.argv.slice(2);
const pathOf = (at: number): string => join(directory, `topic-${at % 23}.md`);
const clear = (path: string): void => rmSync(path, { recursive: true, force: true });

const changes: readonly ((path: string, at: number) => void)[] = [
  (path) => writeFileSync(path, "An oven.\n"),
  (path, at) => {
    writeFileSync(`${path}.tmp`, at % 2 === 0 ? "Oven.\n" : "Sink.\n");
    renameSync(`${path}.tmp`, path);
  },
  () => undefined,
  (path) => mkdirSync(path),
  (path) => symlinkSync(join(directory, "topic-1.md"), path),
];

for (let at = 0; at < Number(steps); at++) {
  const path = pathOf(at * 7);
  clear(path);
  changes[at % changes.length]?.(path, at);
  // Missing for a moment, then back again.
  if (at % 50 === 0) {
    renameSync(directory, `${directory}-away`);
    renameSync(`${directory}-away`, directory);
  }
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
}
clear(pathOf(0));
writeFileSync(pathOf(0), "The last oven.\n");

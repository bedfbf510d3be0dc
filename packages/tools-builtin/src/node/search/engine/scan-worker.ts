import type * as fileSystem from "node:fs";
import type { FoundFile, FoundLine } from "./search-request.ts";

// These functions run in a worker that is made of their text, so that they work from source, from a build and inside
// a bundle alike. They may use nothing but their arguments and each other.

/** What the worker is told once. */
export interface ScanJob {
  readonly source: string;
  readonly flags: string;
  readonly directory: string;
  readonly contextLines: number;
  readonly mostMatches: number;
  readonly mostLineCharacters: number;
  readonly mostFileBytes: number;
}

type FileSystem = Pick<
  typeof fileSystem,
  "constants" | "openSync" | "fstatSync" | "readFileSync" | "closeSync"
>;

/** The program of the worker: it is sent batches of names, and answers with what it found in them. */
export function scanProgram(): string {
  return `${String(findLines)}
${String(readText)}
const run = ${String(scanFiles)};
const { parentPort, workerData } = require("node:worker_threads");
const fs = require("node:fs");
parentPort.on("message", (names) => parentPort.postMessage(run(fs, workerData, names)));`;
}

/** Files with matches among those named. */
function scanFiles(fs: FileSystem, order: ScanJob, names: readonly string[]): readonly FoundFile[] {
  const pattern = new RegExp(order.source, order.flags);
  const found: FoundFile[] = [];
  for (const name of names) {
    const path = name === "" ? order.directory : `${order.directory}/${name}`;
    const text = readText(fs, path, order.mostFileBytes);
    if (text === undefined) continue;
    const { matches, lines } = findLines(text, pattern, order);
    if (matches > 0) found.push({ name, matches, lines });
  }
  return found;
}

/** The text of a regular file; nothing for one that is binary, too large, gone, or reached by a link. */
function readText(fs: FileSystem, path: string, mostBytes: number): string | undefined {
  let descriptor: number | undefined;
  try {
    const { O_RDONLY, O_NONBLOCK, O_NOFOLLOW } = fs.constants;
    descriptor = fs.openSync(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW);
    const stats = fs.fstatSync(descriptor);
    if (!stats.isFile() || stats.size > mostBytes) return undefined;
    const bytes = fs.readFileSync(descriptor);
    if (bytes.includes(0)) return undefined;
    const text = bytes.toString("utf8");
    return text.startsWith("\uFEFF") ? text.slice(1) : text;
  } catch {
    // Nothing is thrown here but what the system refuses, and such a file is passed over.
    return undefined;
  } finally {
    if (descriptor !== undefined) fs.closeSync(descriptor);
  }
}

/** The lines of a text that match, as many as are kept, with those around them. */
function findLines(
  text: string,
  pattern: RegExp,
  order: Pick<ScanJob, "contextLines" | "mostMatches" | "mostLineCharacters">,
): { readonly matches: number; readonly lines: readonly FoundLine[] } {
  const all = text.split("\n");
  if (all.at(-1) === "") all.pop();
  const kept = new Map<number, boolean>();
  let matches = 0;
  for (const [index, line] of all.entries()) {
    if (!pattern.test(line.endsWith("\r") ? line.slice(0, -1) : line)) continue;
    matches += 1;
    if (matches > order.mostMatches) continue;
    const last = Math.min(index + order.contextLines, all.length - 1);
    for (let near = Math.max(0, index - order.contextLines); near <= last; near++) {
      kept.set(near, near === index || kept.get(near) === true);
    }
  }
  const lines = [...kept].map(([index, isMatch]) => ({
    number: index + 1,
    text: (all[index] ?? "").replace(/\r$/, "").slice(0, order.mostLineCharacters + 1),
    isMatch,
  }));
  return { matches, lines };
}

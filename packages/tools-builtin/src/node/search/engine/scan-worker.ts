import type * as fileSystem from "node:fs";
import type { FoundFile, FoundLine } from "./search-request.ts";

// The worker's program is made from the text of these functions, so that they work from source, from a build and inside
// a bundle. They may only use their arguments and each other.

/** The job that the worker gets once, at its start. */
export interface ScanJob {
  readonly source: string;
  readonly flags: string;
  /** A real path. */
  readonly target: string;
  /** The start of the paths of all files in the target, up to and including a separator. */
  readonly below: string;
  readonly separator: string;
  readonly contextLines: number;
  readonly maxMatches: number;
  readonly maxLineCharacters: number;
  readonly maxFileBytes: number;
}

type FileSystem = Pick<
  typeof fileSystem,
  | "constants"
  | "openSync"
  | "fstatSync"
  | "lstatSync"
  | "readFileSync"
  | "readlinkSync"
  | "realpathSync"
  | "closeSync"
>;

/** The program of a thread. It receives batches of names and answers with the files that have matches. */
export function scanThreadProgram(): string {
  return `${scanFunctions()}
const { parentPort, workerData } = require("node:worker_threads");
parentPort.on("message", (names) => parentPort.postMessage(run(fs, workerData, names)));`;
}

/** The program of a process, which receives the job with each batch. */
export function scanProcessProgram(): string {
  return `${scanFunctions()}
process.on("disconnect", () => process.exit());
process.on("message", ({ job, names }) => process.send(run(fs, job, names)));`;
}

function scanFunctions(): string {
  return `${String(findLines)}
${String(isAt)}
${String(readText)}
const run = ${String(scanFiles)};
const fs = require("node:fs");`;
}

/** Finds the files with matches among those named. */
function scanFiles(fs: FileSystem, job: ScanJob, names: readonly string[]): readonly FoundFile[] {
  const pattern = new RegExp(job.source, job.flags);
  const found: FoundFile[] = [];
  for (const name of names) {
    const path = name === "" ? job.target : job.below + name.replaceAll("/", job.separator);
    const text = readText(fs, path, job.maxFileBytes);
    if (text === undefined) continue;
    const { matches, lines } = findLines(text, pattern, job);
    if (matches > 0) found.push({ name, matches, lines });
  }
  return found;
}

/** Reads a regular file. Returns `undefined` if it is binary, too large, missing, or a link. */
function readText(fs: FileSystem, path: string, maxBytes: number): string | undefined {
  let descriptor: number | undefined;
  try {
    const { O_RDONLY, O_NONBLOCK, O_NOFOLLOW } = fs.constants;
    descriptor = fs.openSync(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW);
    const stats = fs.fstatSync(descriptor);
    if (!stats.isFile() || stats.size > maxBytes || !isAt(fs, descriptor, path)) return undefined;
    const bytes = fs.readFileSync(descriptor);
    if (bytes.includes(0)) return undefined;
    const text = bytes.toString("utf8");
    return text.startsWith("\uFEFF") ? text.slice(1) : text;
  } catch {
    // Only system errors are thrown here, and such a file is skipped.
    return undefined;
  } finally {
    if (descriptor !== undefined) fs.closeSync(descriptor);
  }
}

/** Whether an open file is the one at the path. A directory in the path may have been replaced by a link. */
function isAt(fs: FileSystem, descriptor: number, path: string): boolean {
  let opened: string | undefined;
  try {
    opened = fs.readlinkSync(`/proc/self/fd/${descriptor}`);
  } catch {
    // Only Linux reports what was opened.
  }
  if (opened !== undefined) return opened === path;
  const [now, then] = [fs.lstatSync(path), fs.fstatSync(descriptor)];
  return now.ino === then.ino && now.dev === then.dev && fs.realpathSync.native(path) === path;
}

/** Finds the matching lines of a text, up to the limit, with their context. */
function findLines(
  text: string,
  pattern: RegExp,
  job: Pick<ScanJob, "contextLines" | "maxMatches" | "maxLineCharacters">,
): { readonly matches: number; readonly lines: readonly FoundLine[] } {
  const all = text.split("\n");
  if (all.at(-1) === "") all.pop();
  const kept = new Map<number, boolean>();
  let matches = 0;
  for (const [index, line] of all.entries()) {
    if (!pattern.test(line.endsWith("\r") ? line.slice(0, -1) : line)) continue;
    matches += 1;
    if (matches > job.maxMatches) continue;
    const last = Math.min(index + job.contextLines, all.length - 1);
    for (let near = Math.max(0, index - job.contextLines); near <= last; near++) {
      kept.set(near, near === index || kept.get(near) === true);
    }
  }
  const lines = [...kept].map(([index, isMatch]) => ({
    number: index + 1,
    text: (all[index] ?? "").replace(/\r$/, "").slice(0, job.maxLineCharacters + 1),
    isMatch,
  }));
  return { matches, lines };
}

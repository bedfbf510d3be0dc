import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from "node:fs";
import { join } from "node:path";
import { errorCode, hasCode } from "@caliban/common/node";

/** The code of a failure to read what is no file. */
export const NOT_A_FILE = "ENOTFILE";
/** No line that marks a change as done is longer. */
const MARK_BYTES = 128;

/** The end of a history file: a few bytes tell whether all is done, and the file may be megabytes long. */
export interface HistoryTail {
  readonly bytes: number;
  readonly isDone: boolean;
  /** Whether the last line has no end. */
  readonly isTruncated: boolean;
}

/** Where a directory keeps its history. */
export function historyPath(historyDirectory: string): string {
  return join(historyDirectory, "changes.jsonl");
}

/** Where the history of a directory is that has no other place for it. */
export function defaultHistoryDirectory(directory: string): string {
  return join(directory, ".history");
}

/** Whether somebody began a change and did not finish it. What cannot be read holds none that could be finished. */
export function hasUnfinishedChange(historyDirectory: string): boolean {
  try {
    const { isDone, isTruncated: isTorn } = historyTail(historyPath(historyDirectory));
    return !isDone && !isTorn;
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return false;
  }
}

export function historyTail(path: string): HistoryTail {
  const tail = readPart(path, (size) => Math.max(0, size - MARK_BYTES));
  if (tail === undefined || tail.size === 0) return { bytes: 0, isDone: true, isTruncated: false };
  const [line = ""] = /[^\n]*\n$/.exec(tail.text) ?? [];
  return {
    bytes: tail.size,
    isDone: line.startsWith('{"done":'),
    isTruncated: !tail.text.endsWith("\n"),
  };
}

/** The beginning of the file, which has the time of its first change. */
export function historyHead(path: string): string {
  return readPart(path, () => 0)?.text ?? "";
}

/** Which file a history is, how long it is, and what was added to it since; `added` is undefined when it is another. */
export function historySince(
  path: string,
  last: { readonly file: string; readonly bytes: number } | undefined,
): { readonly file: string; readonly bytes: number; readonly added: string | undefined } {
  return (
    withHistory(path, (descriptor, { ino, birthtimeMs, size }) => {
      const file = `${ino}:${birthtimeMs}`;
      const isSame = last?.file === file && last.bytes <= size;
      if (!isSame) return { file, bytes: size, added: undefined };
      const added = Buffer.alloc(size - last.bytes);
      readSync(descriptor, added, 0, added.length, last.bytes);
      return { file, bytes: size, added: added.toString("utf8") };
    }) ?? { file: "", bytes: 0, added: undefined }
  );
}

function readPart(
  path: string,
  startOf: (size: number) => number,
): { readonly size: number; readonly text: string } | undefined {
  return withHistory(path, (descriptor, { size }) => {
    const bytes = new Uint8Array(MARK_BYTES);
    const read = readSync(descriptor, bytes, 0, MARK_BYTES, startOf(size));
    return { size, text: new TextDecoder().decode(bytes.subarray(0, read)) };
  });
}

/** Looks into the file of a history; `undefined` when there is none. */
function withHistory<T>(
  path: string,
  look: (descriptor: number, stats: Stats) => T,
): T | undefined {
  let descriptor: number | undefined;
  try {
    // Without O_NONBLOCK, opening a named pipe waits for a writer for ever.
    const flags = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
    descriptor = openSync(path, constants.O_RDONLY | flags);
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) {
      throw Object.assign(new Error(`${path} is not a regular file`), { code: NOT_A_FILE });
    }
    return look(descriptor, stats);
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined;
    throw error;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from "node:fs";
import { dirname, join } from "node:path";
import { errorCode, hasCode } from "@caliban/common/node";
import { NOT_A_FILE } from "./refused-history.ts";

/** No done mark is longer. */
const MARK_BYTES = 128;

/** The end of a history file. A few bytes show whether every change is done; the file may be megabytes long. */
export interface HistoryTail {
  readonly bytes: number;
  readonly isDone: boolean;
  /** Whether the last line is incomplete. */
  readonly isTruncated: boolean;
}

/** The history file in a history directory. */
export function historyPath(historyDirectory: string): string {
  return join(historyDirectory, "changes.jsonl");
}

/** The file with the changes that no longer fit into the history file. */
export function archivePath(historyFile: string): string {
  return join(dirname(historyFile), "archive.jsonl");
}

/** The history directory of a memory directory that has no other one. */
export function defaultHistoryDirectory(directory: string): string {
  return join(directory, ".history");
}

/** Whether a crashed writer left an unfinished change. An unreadable history has none that could be finished. */
export function hasUnfinishedChange(historyDirectory: string): boolean {
  try {
    const { isDone, isTruncated } = historyTail(historyPath(historyDirectory));
    return !isDone && !isTruncated;
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return false;
  }
}

export function historyTail(path: string): HistoryTail {
  const tail = readEnd(path);
  if (tail === undefined || tail.size === 0) return { bytes: 0, isDone: true, isTruncated: false };
  const [line = ""] = /[^\n]*\n$/.exec(tail.text) ?? [];
  return {
    bytes: tail.size,
    isDone: line.startsWith('{"done":'),
    isTruncated: !tail.text.endsWith("\n"),
  };
}

/** Identifies the file, and returns what was appended since the last reading; `added` is undefined for another file. */
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

function readEnd(path: string): { readonly size: number; readonly text: string } | undefined {
  return withHistory(path, (descriptor, { size }) => {
    const bytes = new Uint8Array(MARK_BYTES);
    const read = readSync(descriptor, bytes, 0, MARK_BYTES, Math.max(0, size - MARK_BYTES));
    return { size, text: new TextDecoder().decode(bytes.subarray(0, read)) };
  });
}

/** Opens a file of the history for reading; `undefined` if there is none. */
export function withHistory<T>(
  path: string,
  read: (descriptor: number, stats: Stats) => T,
): T | undefined {
  let descriptor: number | undefined;
  try {
    // Without O_NONBLOCK, opening a named pipe would wait for a writer forever.
    const flags = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
    descriptor = openSync(path, constants.O_RDONLY | flags);
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) {
      throw Object.assign(new Error(`${path} is not a regular file`), { code: NOT_A_FILE });
    }
    return read(descriptor, stats);
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined;
    throw error;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

import { basename, dirname, join } from "node:path";
import { terminalSafeLine } from "@caliban/common";
import {
  type Disk,
  errorCode,
  readTextFile,
  removeIfExists,
  writeFileAtomic,
} from "@caliban/common/node";
import { MemoryError } from "../../../errors.ts";
import {
  type Change,
  parseHistoryLine,
  renderChange,
  renderDoneMark,
} from "../../../history/change.ts";
import { listFileNames } from "../files/topic-files.ts";
import {
  historyHead,
  historySince,
  type HistoryTail,
  historyTail,
  NOT_A_FILE,
} from "./history-tail.ts";

const MAX_HISTORY_BYTES = 10_000_000;
/** What remains after trimming, so that the next write does not trim again. */
const KEPT_BYTES = 8_000_000;
const KEPT_DAYS = 90;
const DAY_MS = 86_400_000;
/** More than any history can have, even before it is trimmed. */
const MAX_READ_BYTES = 256_000_000;

/** The file with every change of a store, one per line, and a mark after each that was carried out. */
export interface HistoryFile {
  /** Appends a change before it is carried out, and returns once it is on disk. */
  readonly begin: (change: Change) => Promise<PendingChange>;
  /** The change that a crashed writer did not finish. */
  readonly unfinished: () => Promise<Change | undefined>;
  /** Marks the change of another writer as carried out. */
  readonly finish: (id: string) => Promise<void>;
  /** Records an external change. */
  readonly record: (change: Change) => Promise<void>;
  /** Oldest first. */
  readonly read: () => Promise<readonly Change[]>;
  /** What was appended since an earlier reading, or everything if the file was replaced. */
  readonly readSince: (last: HistoryReading | undefined) => Promise<HistoryReading>;
  /** Replaces the whole history. */
  readonly rewrite: (changes: readonly Change[]) => Promise<void>;
  /** Drops changes that are too old or exceed the size limit. */
  readonly trim: (nowMs: number) => Promise<void>;
}

/** A change that is being carried out. */
export interface PendingChange {
  readonly finish: () => Promise<void>;
  /** Removes the change from the history. If the disk refuses, it stays unfinished. */
  readonly cancel: () => Promise<void>;
  /** Leaves the change to the next writer. */
  readonly abandon: () => Promise<void>;
}

/** A reading of the history, to continue from. */
export interface HistoryReading {
  /** Whether it starts with the first change. */
  readonly isWhole: boolean;
  readonly changes: readonly Change[];
  readonly bytes: number;
  /** Identifies the file. */
  readonly file: string;
}

/** Everything except `read` needs the lock of the store. */
export function createHistoryFile(path: string, disk: Disk): HistoryFile {
  return {
    begin: async (change) => await begin(path, disk, change),
    unfinished: async () => {
      const { isTruncated, isDone } = readTail(path);
      if (isDone || isTruncated) return undefined;
      const lines = (await readHistory(path)).split("\n");
      const last = parseHistoryLine(lines.at(-2) ?? "");
      return last !== undefined && "id" in last ? last : undefined;
    },
    finish: async (id) => await finish(disk, await disk.openToAppend(path), id),
    record: async (change) => await (await begin(path, disk, change)).finish(),
    read: async () => changesIn(await readHistory(path)),
    readSince: async (last) => await readSince(path, last),
    rewrite: async (changes) => await rewrite(path, disk, changes),
    trim: async (nowMs) => {
      const { bytes } = readTail(path);
      if (bytes === 0) return;
      if (bytes <= MAX_HISTORY_BYTES && !isExpired(historyHead(path), nowMs)) return;
      await rewrite(path, disk, trimmed(changesIn(await readHistory(path)), nowMs));
    },
  };
}

async function begin(path: string, disk: Disk, change: Change): Promise<PendingChange> {
  const { isTruncated, bytes } = readTail(path);
  if (bytes === 0) await disk.makeDirectory(dirname(path));
  const descriptor = await disk.openToAppend(path);
  const cancel = async (): Promise<void> => {
    await ignoreFailure(() => disk.truncate(descriptor, bytes));
    await ignoreFailure(() => disk.close(descriptor));
  };
  try {
    // A partial line after a crash stays a line of its own.
    await disk.write(descriptor, (isTruncated ? "\n" : "") + renderChange(change));
    await disk.sync(descriptor);
    if (bytes === 0) await disk.syncDirectory(dirname(path));
  } catch (error) {
    await cancel();
    throw error;
  }
  return {
    finish: () => finish(disk, descriptor, change.id),
    cancel,
    abandon: () => ignoreFailure(() => disk.close(descriptor)),
  };
}

/** The change itself is complete. If the mark cannot be written, the next writer adds it. */
async function finish(disk: Disk, descriptor: number, id: string): Promise<void> {
  await ignoreFailure(() => disk.write(descriptor, renderDoneMark(id)));
  await ignoreFailure(() => disk.close(descriptor));
}

/** Runs an optional action: a failure of the system is ignored. */
async function ignoreFailure(action: () => Promise<void>): Promise<void> {
  try {
    await action();
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
  }
}

function readTail(path: string): HistoryTail {
  try {
    return historyTail(path);
  } catch (error) {
    if (errorCode(error) === "ELOOP") throw refusedHistory(path, "it is a symbolic link");
    if (errorCode(error) === NOT_A_FILE) throw refusedHistory(path, "it is not a regular file");
    throw error;
  }
}

async function readHistory(path: string): Promise<string> {
  const file = readTextFile(path, MAX_READ_BYTES, { refuseLinks: true });
  if (file.kind === "missing") return "";
  if (file.kind !== "text") throw refusedHistory(path, file.message);
  // The end of the file matters most, and it would be missing.
  if (file.readBytes < file.fileBytes) throw refusedHistory(path, `it has ${file.fileBytes} bytes`);
  return file.text;
}

async function readSince(path: string, last: HistoryReading | undefined): Promise<HistoryReading> {
  const { file, bytes, added } = historySince(path, last);
  if (added !== undefined) return { isWhole: false, changes: changesIn(added), bytes, file };
  return { isWhole: true, changes: changesIn(await readHistory(path)), bytes, file };
}

function changesIn(text: string): readonly Change[] {
  return text.split("\n").flatMap((line) => {
    const parsed = line === "" ? undefined : parseHistoryLine(line);
    return parsed !== undefined && "id" in parsed ? [parsed] : [];
  });
}

/** Every change in the file was carried out: a writer recovers an unfinished one first. */
async function rewrite(path: string, disk: Disk, changes: readonly Change[]): Promise<void> {
  await removeTemporaryFiles(path, disk);
  const last = changes.at(-1);
  const lines = changes.map(renderChange).join("");
  await writeFileAtomic(path, lines + (last === undefined ? "" : renderDoneMark(last.id)), disk);
}

/** The temporary file of an interrupted rewrite contains texts as well. */
async function removeTemporaryFiles(path: string, disk: Disk): Promise<void> {
  const isTemporary = (name: string): boolean =>
    name.startsWith(`.${basename(path)}.`) && name.endsWith(".tmp");
  for (const name of listFileNames(dirname(path)).filter(isTemporary)) {
    await removeIfExists(disk, join(dirname(path), name));
  }
}

/** The newest changes that fit and are not too old; always at least the newest one. */
function trimmed(changes: readonly Change[], nowMs: number): readonly Change[] {
  const recent = changes.filter(({ at }) => nowMs - Date.parse(at) <= KEPT_DAYS * DAY_MS);
  let bytes = 0;
  const from = recent.findLastIndex((change) => {
    bytes += Buffer.byteLength(renderChange(change));
    return bytes > KEPT_BYTES;
  });
  // The last change can always be undone, however long it is.
  return recent.slice(Math.min(from + 1, recent.length - 1));
}

/** Whether the first line is an expired change or unreadable; then the whole file is checked once. */
function isExpired(line: string, nowMs: number): boolean {
  const at = /^\{"id":"[^"]*","at":"([^"]+)"/.exec(line)?.[1] ?? "";
  return !(nowMs - Date.parse(at) <= KEPT_DAYS * DAY_MS);
}

function refusedHistory(path: string, reason: string): MemoryError {
  const message = `cannot use the history ${terminalSafeLine(path)}: ${reason}; move it away`;
  return new MemoryError("REFUSED_FILE", message);
}

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
import { type Change, parseHistoryLine, renderChange, renderDoneMark } from "../../../history/change.ts";
import { listFileNames } from "../files/topic-files.ts";
import {
  historyHead,
  historySince,
  type HistoryTail,
  historyTail,
  NOT_A_FILE,
} from "./history-tail.ts";

const MAX_HISTORY_BYTES = 10_000_000;
/** What is left after a cut, so that the next write does not cut again. */
const KEPT_BYTES = 8_000_000;
const KEPT_DAYS = 90;
const DAY_MS = 86_400_000;
/** More than any history of ours has, even while it is being cut. */
const MOST_BYTES = 256_000_000;

/** The file that holds every change of a store, one a line, and a mark after each that was carried out. */
export interface HistoryFile {
  /** Appends a change before it is carried out, and returns when that is on the disk. */
  readonly begin: (change: Change) => Promise<PendingChange>;
  /** The change that somebody began and did not finish. */
  readonly unfinished: () => Promise<Change | undefined>;
  /** Marks a change as carried out that somebody else began. */
  readonly finish: (id: string) => Promise<void>;
  /** Writes down what was done without us. */
  readonly record: (change: Change) => Promise<void>;
  /** Oldest first. */
  readonly read: () => Promise<readonly Change[]>;
  /** What came after a reading before this one, or everything when the file is another by now. */
  readonly readSince: (last: HistoryReading | undefined) => Promise<HistoryReading>;
  /** Replaces the whole history. */
  readonly rewrite: (changes: readonly Change[]) => Promise<void>;
  /** Drops what is too old or too much. */
  readonly trim: (nowMs: number) => Promise<void>;
}

/** A change that is being carried out. */
export interface PendingChange {
  readonly finish: () => Promise<void>;
  /** Takes the change back, as if it had never begun. What the disk does not allow stays unfinished. */
  readonly cancel: () => Promise<void>;
  /** Leaves it to the next writer. */
  readonly abandon: () => Promise<void>;
}

/** How far a history was read. */
export interface HistoryReading {
  /** Whether it begins with the first change that there is. */
  readonly isWhole: boolean;
  readonly changes: readonly Change[];
  readonly bytes: number;
  /** Which file it was. */
  readonly file: string;
}

/** Everything here but `read` is done under the lock of the store. */
export function createHistoryFile(path: string, disk: Disk): HistoryFile {
  return {
    begin: async (change) => await begin(path, disk, change),
    unfinished: async () => {
      const { isTruncated: isTorn, isDone } = tailOf(path);
      if (isDone || isTorn) return undefined;
      const lines = (await textOf(path)).split("\n");
      const last = parseHistoryLine(lines.at(-2) ?? "");
      return last !== undefined && "id" in last ? last : undefined;
    },
    finish: async (id) => await finish(disk, await disk.openToAppend(path), id),
    record: async (change) => await (await begin(path, disk, change)).finish(),
    read: async () => changesIn(await textOf(path)),
    readSince: async (last) => await readOn(path, last),
    rewrite: async (changes) => await rewrite(path, disk, changes),
    trim: async (nowMs) => {
      const { bytes } = tailOf(path);
      if (bytes === 0) return;
      if (bytes <= MAX_HISTORY_BYTES && !isOld(historyHead(path), nowMs)) return;
      await rewrite(path, disk, kept(changesIn(await textOf(path)), nowMs));
    },
  };
}

async function begin(path: string, disk: Disk, change: Change): Promise<PendingChange> {
  const { isTruncated: isTorn, bytes } = tailOf(path);
  if (bytes === 0) await disk.makeDirectory(dirname(path));
  const descriptor = await disk.openToAppend(path);
  const cancel = async (): Promise<void> => {
    await unlessRefused(() => disk.truncate(descriptor, bytes));
    await unlessRefused(() => disk.close(descriptor));
  };
  try {
    // Half a line that a crash left stays a line of its own.
    await disk.write(descriptor, (isTorn ? "\n" : "") + renderChange(change));
    await disk.sync(descriptor);
    if (bytes === 0) await disk.syncDirectory(dirname(path));
  } catch (error) {
    await cancel();
    throw error;
  }
  return {
    finish: () => finish(disk, descriptor, change.id),
    cancel,
    abandon: () => unlessRefused(() => disk.close(descriptor)),
  };
}

/** What is written is written: a mark that finds no room is put there by the next writer. */
async function finish(disk: Disk, descriptor: number, id: string): Promise<void> {
  await unlessRefused(() => disk.write(descriptor, renderDoneMark(id)));
  await unlessRefused(() => disk.close(descriptor));
}

/** Does what may be left undone. */
async function unlessRefused(action: () => Promise<void>): Promise<void> {
  try {
    await action();
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
  }
}

function tailOf(path: string): HistoryTail {
  try {
    return historyTail(path);
  } catch (error) {
    if (errorCode(error) === "ELOOP") throw refused(path, "it is a symbolic link");
    if (errorCode(error) === NOT_A_FILE) throw refused(path, "it is not a regular file");
    throw error;
  }
}

async function textOf(path: string): Promise<string> {
  const file = await readTextFile(path, MOST_BYTES, { refuseLinks: true });
  if (file.kind === "missing") return "";
  if (file.kind !== "text") throw refused(path, file.message);
  // The end is what counts, and it would be missing.
  if (file.readBytes < file.fileBytes) throw refused(path, `it has ${file.fileBytes} bytes`);
  return file.text;
}

async function readOn(path: string, last: HistoryReading | undefined): Promise<HistoryReading> {
  const { file, bytes, added } = historySince(path, last);
  if (added !== undefined) return { isWhole: false, changes: changesIn(added), bytes, file };
  return { isWhole: true, changes: changesIn(await textOf(path)), bytes, file };
}

function changesIn(text: string): readonly Change[] {
  return text.split("\n").flatMap((line) => {
    const parsed = line === "" ? undefined : parseHistoryLine(line);
    return parsed !== undefined && "id" in parsed ? [parsed] : [];
  });
}

/** Everything in it was carried out, or the next writer would have seen to it first. */
async function rewrite(path: string, disk: Disk, changes: readonly Change[]): Promise<void> {
  await removeHalves(path, disk);
  const last = changes.at(-1);
  const lines = changes.map(renderChange).join("");
  await writeFileAtomic(path, lines + (last === undefined ? "" : renderDoneMark(last.id)), disk);
}

/** What a rewrite that was ended left behind has texts in it, too. */
async function removeHalves(path: string, disk: Disk): Promise<void> {
  const isHalf = (name: string): boolean =>
    name.startsWith(`.${basename(path)}.`) && name.endsWith(".tmp");
  for (const name of listFileNames(dirname(path)).filter(isHalf)) {
    // oxlint-disable-next-line no-await-in-loop -- hardly ever more than one
    await removeIfExists(disk, join(dirname(path), name));
  }
}

/** The newest that fit, none older than the limit, and the newest in any case. */
function kept(changes: readonly Change[], nowMs: number): readonly Change[] {
  const young = changes.filter(({ at }) => nowMs - Date.parse(at) <= KEPT_DAYS * DAY_MS);
  let bytes = 0;
  const from = young.findLastIndex((change) => {
    bytes += Buffer.byteLength(renderChange(change));
    return bytes > KEPT_BYTES;
  });
  // The last change can be undone however long it is.
  return young.slice(Math.min(from + 1, young.length - 1));
}

/** Whether the first line is of too old a change, or of none: then the file is looked through once. */
function isOld(line: string, nowMs: number): boolean {
  const at = /^\{"id":"[^"]*","at":"([^"]+)"/.exec(line)?.[1] ?? "";
  return !(nowMs - Date.parse(at) <= KEPT_DAYS * DAY_MS);
}

function refused(path: string, why: string): MemoryError {
  const sentence = `${terminalSafeLine(path)} cannot be used as the history: ${why}; move it away`;
  return new MemoryError("REFUSED_FILE", sentence);
}

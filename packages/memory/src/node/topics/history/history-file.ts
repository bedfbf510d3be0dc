import { basename, dirname, join } from "node:path";
import { type Disk, readTextFile, removeIfExists, writeFileAtomic } from "@caliban/common/node";
import {
  type ArchivedHead,
  type ArchivedText,
  archivedTexts,
  changeKey,
} from "../../../history/archived-change.ts";
import {
  type Change,
  parseHistoryLine,
  renderChange,
  renderDoneMark,
} from "../../../history/change.ts";
import type { TopicSlug } from "../../../topics/slug.ts";
import { listFileNames } from "../files/topic-files.ts";
import {
  type ArchiveLimits,
  createHistoryArchive,
  type HistoryArchive,
} from "./history-archive.ts";
import { archivePath, historySince, type HistoryTail, historyTail } from "./history-tail.ts";
import { ignoreFailure } from "./ignore-failure.ts";
import { refusedHistory, reportRefused } from "./refused-history.ts";

/** How much of the history is kept, and in which form. */
export interface HistoryLimits {
  /** A longer history file is shortened: its older changes move to the archive. */
  readonly maxFileBytes: number;
  /** What stays in the file then, so that the next write does not shorten it again. */
  readonly keptFileBytes: number;
  readonly archive: ArchiveLimits;
}

const MEGABYTE = 1_000_000;

export const HISTORY_LIMITS: HistoryLimits = {
  maxFileBytes: 4 * MEGABYTE,
  keptFileBytes: 2 * MEGABYTE,
  archive: { maxBytes: 16 * MEGABYTE, maxChangesPerTopic: 100 },
};

/** More than any history file can have, even before it is shortened. */
const MAX_READ_BYTES = 256 * MEGABYTE;

/**
 * The changes of a store, one per line, and a mark after each that was carried out. Older ones are in a compressed
 * archive, which is read only if it is needed.
 */
export interface HistoryFile {
  /** Appends a change before it is carried out, and returns once it is on disk. */
  readonly begin: (change: Change) => Promise<PendingChange>;
  /** The change that a crashed writer did not finish. */
  readonly unfinished: () => Promise<Change | undefined>;
  /** Marks the change of another writer as carried out. */
  readonly finish: (id: string) => Promise<void>;
  /** Records an external change. */
  readonly record: (change: Change) => Promise<void>;
  /** All changes, oldest first. */
  readonly read: () => Promise<readonly Change[]>;
  /** What was appended since an earlier reading, or everything if the file was replaced. */
  readonly readSince: (last: HistoryReading | undefined) => Promise<HistoryReading>;
  /** The texts of topics according to the archive. */
  readonly archivedTexts: () => ReadonlyMap<TopicSlug, ArchivedText | null>;
  /** Replaces all changes by what a function returns for them, in the same order. */
  readonly rewrite: (
    update: (changes: readonly Change[]) => readonly Change[],
  ) => Promise<{ readonly before: readonly Change[]; readonly after: readonly Change[] }>;
  /** Moves older changes to the archive if the file has become too long. */
  readonly trim: () => Promise<void>;
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

/** Everything except `read` and `archivedTexts` needs the lock of the store. */
export function createHistoryFile(
  path: string,
  disk: Disk,
  limits: HistoryLimits = HISTORY_LIMITS,
): HistoryFile {
  const archive = createHistoryArchive(archivePath(path), { disk, limits: limits.archive });
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
    read: async () => {
      const { archived, recent } = await readAll(path, archive);
      return [...archived, ...recent];
    },
    readSince: async (last) => await readSince(path, last),
    archivedTexts: () =>
      archivedTexts(archive.heads(), (head, slug) => findText(archive, head, slug)),
    rewrite: async (update) => {
      const { archived, recent } = await readAll(path, archive);
      const before = [...archived, ...recent];
      const after = update(before);
      await removeTemporaryFiles(path, disk);
      await archive.rewrite(after.slice(0, archived.length));
      await replaceFile(path, disk, after.slice(archived.length));
      return { before, after };
    },
    trim: async () => {
      if (readTail(path).bytes > limits.maxFileBytes) await trim(path, { disk, limits, archive });
    },
  };
}

interface AllChanges {
  readonly archived: readonly Change[];
  /** Those of the history file. */
  readonly recent: readonly Change[];
}

/** A change that is being moved is in both files. The file is read first, because changes move from it to the archive. */
async function readAll(path: string, archive: HistoryArchive): Promise<AllChanges> {
  const recent = changesIn(await readHistory(path));
  const keys = new Set(recent.map(changeKey));
  const archived = await archive.read((head) => !keys.has(changeKey(head)));
  return { archived, recent };
}

async function findText(
  archive: HistoryArchive,
  wanted: ArchivedHead,
  slug: TopicSlug,
): Promise<string | undefined> {
  const [change] = await archive.read((head) => changeKey(head) === changeKey(wanted));
  return change?.files.findLast((file) => file.slug === slug)?.after ?? undefined;
}

/** Changes are in the archive before they leave the file, so that a crash loses none of them. */
async function trim(
  path: string,
  {
    disk,
    limits,
    archive,
  }: {
    readonly disk: Disk;
    readonly limits: HistoryLimits;
    readonly archive: HistoryArchive;
  },
): Promise<void> {
  await removeTemporaryFiles(path, disk);
  const recorded = recordedChanges(await readHistory(path));
  let bytes = 0;
  const from = recorded.findLastIndex(({ line }) => {
    bytes += Buffer.byteLength(line);
    return bytes > limits.keptFileBytes;
  });
  // The newest change stays, however long it is: a writer continues after it.
  const older = Math.min(from + 1, recorded.length - 1);
  const changes = recorded.map(({ change }) => change);
  await archive.add(changes.slice(0, older), changes.slice(older));
  await replaceFile(path, disk, changes.slice(older));
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

function readTail(path: string): HistoryTail {
  return reportRefused(path, () => historyTail(path));
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
  return recordedChanges(text).map(({ change }) => change);
}

function recordedChanges(
  text: string,
): readonly { readonly change: Change; readonly line: string }[] {
  return text.split("\n").flatMap((line) => {
    const change = line === "" ? undefined : parseHistoryLine(line);
    return change !== undefined && "id" in change ? [{ change, line }] : [];
  });
}

/** Every change in the file was carried out: a writer recovers an unfinished one first. */
async function replaceFile(path: string, disk: Disk, changes: readonly Change[]): Promise<void> {
  const last = changes.at(-1);
  const lines = changes.map(renderChange).join("");
  await writeFileAtomic(path, lines + (last === undefined ? "" : renderDoneMark(last.id)), disk);
}

/** The temporary file of an interrupted rewrite contains texts as well. */
async function removeTemporaryFiles(path: string, disk: Disk): Promise<void> {
  const prefixes = [path, archivePath(path)].map((each) => `.${basename(each)}.`);
  const isTemporary = (name: string): boolean =>
    name.endsWith(".tmp") && prefixes.some((prefix) => name.startsWith(prefix));
  for (const name of listFileNames(dirname(path)).filter(isTemporary)) {
    await removeIfExists(disk, join(dirname(path), name));
  }
}

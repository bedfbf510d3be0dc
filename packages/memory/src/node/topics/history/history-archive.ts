import { readSync } from "node:fs";
import { dirname } from "node:path";
import { type Disk, writeFileAtomic } from "@caliban/common/node";
import { type ArchivedHead, changeKey } from "../../../history/archived-change.ts";
import type { Change } from "../../../history/change.ts";
import { keptChanges, type RetainedChange } from "../../../history/retention.ts";
import { slugKey, type TopicSlug } from "../../../topics/slug.ts";
import {
  type ArchivedLine,
  readArchivedChanges,
  renderArchivedLines,
  visitArchive,
} from "./archive-lines.ts";
import { historyTail, withHistory } from "./history-tail.ts";
import { ignoreFailure } from "./ignore-failure.ts";
import { reportRefused } from "./refused-history.ts";

export interface ArchiveLimits {
  /** A larger archive is compacted. */
  readonly maxBytes: number;
  /** Compacting keeps no more changes of one topic than this, and of all topics together only what fits. */
  readonly maxChangesPerTopic: number;
}

/**
 * The changes that no longer fit into the history file, one per line, compressed. Everything except `heads` and `read`
 * needs the lock of the store.
 */
export interface HistoryArchive {
  /** Oldest first, without unpacking anything. */
  readonly heads: () => readonly ArchivedHead[];
  /** Oldest first. A damaged change is left out. */
  readonly read: (includes?: (head: ArchivedHead) => boolean) => Promise<readonly Change[]>;
  /** Adds changes, except those that it has already. `newer` are the changes that stay in the history file. */
  readonly add: (changes: readonly Change[], newer: readonly Change[]) => Promise<void>;
  /** Replaces all changes. */
  readonly rewrite: (changes: readonly Change[]) => Promise<void>;
}

export function createHistoryArchive(
  path: string,
  { disk, limits }: { readonly disk: Disk; readonly limits: ArchiveLimits },
): HistoryArchive {
  return {
    heads: () => linesOf(path).map(({ head }) => head),
    read: async (includes) => await readArchivedChanges(path, includes),
    add: async (changes, newer) => {
      const known = new Set(linesOf(path).map(({ head }) => changeKey(head)));
      const added = changes.filter((change) => !known.has(changeKey(change)));
      await append(path, disk, await renderArchivedLines(added));
      await compact(path, disk, { limits, newer });
    },
    rewrite: async (changes) => {
      if (historyTail(path).bytes === 0) return;
      await writeFileAtomic(path, await renderArchivedLines(changes), disk);
    },
  };
}

function linesOf(path: string): readonly ArchivedLine[] {
  const lines: ArchivedLine[] = [];
  visitArchive(path, (line) => void lines.push(line));
  return lines;
}

async function append(path: string, disk: Disk, lines: string): Promise<void> {
  if (lines === "") return;
  const { bytes, isTruncated } = reportRefused(path, () => historyTail(path));
  const descriptor = await disk.openToAppend(path);
  try {
    await disk.write(descriptor, (isTruncated ? "\n" : "") + lines);
    await disk.sync(descriptor);
  } catch (error) {
    await ignoreFailure(() => disk.truncate(descriptor, bytes));
    throw error;
  } finally {
    await ignoreFailure(() => disk.close(descriptor));
  }
  if (bytes === 0) await disk.syncDirectory(dirname(path));
}

/** Compacting leaves room for the next changes. */
const TARGET_PART = 0.75;
/** Rewriting the file must make it this much smaller: what every topic keeps can be longer than the limit. */
const SMALLER_PART = 0.8;

async function compact(
  path: string,
  disk: Disk,
  { limits, newer }: { readonly limits: ArchiveLimits; readonly newer: readonly Change[] },
): Promise<void> {
  const { bytes } = historyTail(path);
  if (bytes <= limits.maxBytes) return;
  const kept = keptLines(linesOf(path), newer, limits);
  const keptBytes = kept.reduce((sum, line) => sum + line.bytes, 0);
  if (keptBytes > bytes * SMALLER_PART) return;
  const copyLines = async (write: (part: Uint8Array) => Promise<void>): Promise<void> => {
    for (const line of kept) await write(readLine(path, line));
  };
  await writeFileAtomic(path, copyLines, disk);
}

function keptLines(
  lines: readonly ArchivedLine[],
  newer: readonly Change[],
  { maxBytes, maxChangesPerTopic }: ArchiveLimits,
): readonly ArchivedLine[] {
  const retained = lines.map(({ head, bytes }) => toRetained(head.files, bytes));
  const others = newer.map(({ files }) =>
    toRetained(
      files.map(({ slug, before }) => ({ slug, isReplaced: before !== null })),
      0,
    ),
  );
  const limits = { maxBytes: Math.floor(maxBytes * TARGET_PART), maxChangesPerTopic };
  const kept = keptChanges([...retained, ...others], limits);
  return lines.filter((_, at) => retained[at] !== undefined && kept.has(retained[at]));
}

function toRetained(
  files: readonly { readonly slug: TopicSlug; readonly isReplaced: boolean }[],
  bytes: number,
): RetainedChange {
  const replaced = files.filter(({ isReplaced }) => isReplaced);
  return {
    topics: [...new Set(files.map(({ slug }) => slugKey(slug)))],
    replaced: replaced.map(({ slug }) => slugKey(slug)),
    bytes,
  };
}

function readLine(path: string, { start, bytes }: ArchivedLine): Uint8Array {
  const line = Buffer.alloc(bytes);
  withHistory(path, (descriptor) => void readSync(descriptor, line, 0, bytes, start));
  return line;
}

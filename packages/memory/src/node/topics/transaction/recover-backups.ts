import { join } from "node:path";
import { type Disk, readTextFile, removeQuietly } from "@caliban/common/node";
import type { FileChange } from "../../../history/change.ts";
import { INDEX_FILE, MAX_TOPIC_BYTES } from "../../../topics/limits.ts";
import { slugFromFileName, type TopicSlug } from "../../../topics/slug.ts";
import { isPlainFile } from "../files/plain-file.ts";
import { isIndexConflictCopy, saveConflictCopy } from "./conflict-copy.ts";
import { restoreBackup } from "./replace-file.ts";
import {
  backupPath,
  MAX_INDEX_FILE_BYTES,
  fileNameOfBackup,
  listFileNames,
  readTopicFile,
  statsOf,
  topicPath,
} from "../files/topic-files.ts";

export interface RecoverBackupsInput {
  readonly directory: string;
  readonly disk: Disk;
  /** The texts that the history has of a topic. */
  readonly isRecorded: (slug: TopicSlug, text: string) => Promise<boolean>;
  /** Whether the history says that a topic is gone. */
  readonly isRemoved: (slug: TopicSlug) => Promise<boolean>;
  readonly record: (file: FileChange) => Promise<void>;
  /** Puts what an index said that was kept aside into the one that is there. */
  readonly mergeIndex: (text: string) => Promise<void>;
}

/**
 * Sees to the files that were moved aside and did not come back, because a writer died or two wrote at once: one whose
 * name is free gets it back, and a text that stands nowhere else goes into the history.
 */
export async function recoverBackups(input: RecoverBackupsInput): Promise<void> {
  for (const aside of listFileNames(input.directory)) {
    const name = fileNameOfBackup(aside);
    const slug = name === undefined ? undefined : slugFromFileName(name);
    // oxlint-disable-next-line no-await-in-loop -- hardly ever one
    if (slug !== undefined) await settleTopic(input, slug);
    // oxlint-disable-next-line no-await-in-loop
    else if (name === INDEX_FILE) await recoverIndexBackup(input);
  }
  await mergeKept(input);
}

async function settleTopic(input: RecoverBackupsInput, slug: TopicSlug): Promise<void> {
  const { directory, disk } = input;
  const path = topicPath(directory, slug);
  isPlainFile(backupPath(path));
  const text = await textOf(backupPath(path), MAX_TOPIC_BYTES * 4);
  const isFree = statsOf(path) === undefined;
  // What nobody can put into a history is given back in any case.
  const isWanted = text === undefined || !(await input.isRemoved(slug));
  if (isFree && isWanted && (await restoreBackup(disk, path))) return;
  if (text === undefined) return await saveConflictCopy(disk, backupPath(path), path);
  if (!(await input.isRecorded(slug, text))) {
    const after = isFree ? null : ((await readTopicFile(directory, slug))?.text ?? null);
    if (text !== after) await input.record({ slug, before: text, after });
  }
  await removeQuietly(disk, backupPath(path));
}

/** Gives an index that was moved aside its name back, else one under which it waits to be merged. */
export async function recoverIndexBackup({
  directory,
  disk,
}: Pick<RecoverBackupsInput, "directory" | "disk">): Promise<void> {
  const path = join(directory, INDEX_FILE);
  if (!isPlainFile(backupPath(path))) return;
  if (statsOf(path) === undefined && (await restoreBackup(disk, path))) return;
  await saveConflictCopy(disk, backupPath(path), path);
}

/** Whoever merges may die, or find another one to be kept. */
async function mergeKept({ directory, disk, mergeIndex }: RecoverBackupsInput): Promise<void> {
  for (const name of listFileNames(directory).filter(isIndexConflictCopy)) {
    const path = join(directory, name);
    isPlainFile(path);
    // oxlint-disable-next-line no-await-in-loop -- hardly ever one
    const text = await textOf(path, MAX_INDEX_FILE_BYTES);
    if (text === undefined) continue;
    // oxlint-disable-next-line no-await-in-loop
    await mergeIndex(text);
    // oxlint-disable-next-line no-await-in-loop
    await removeQuietly(disk, path);
  }
}

/** `undefined` for what nobody could put into a history: it stays where it is. */
async function textOf(path: string, maxBytes: number): Promise<string | undefined> {
  const file = await readTextFile(path, maxBytes, { refuseLinks: true });
  const isWhole = file.kind === "text" && file.readBytes === file.fileBytes;
  return isWhole && file.invalidAt === undefined ? file.text : undefined;
}

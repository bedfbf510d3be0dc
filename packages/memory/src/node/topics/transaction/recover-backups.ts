import { join } from "node:path";
import { type Disk, readTextFile, removeQuietly } from "@caliban/common/node";
import { mergeIndex } from "../../../index-file/merge-index.ts";
import { INDEX_FILE, MAX_TOPIC_BYTES } from "../../../topics/limits.ts";
import { MAX_INDEX_FILE_BYTES } from "../../../topics/limits.ts";
import { slugFromFileName, type TopicSlug } from "../../../topics/slug.ts";
import { assertPlainFile, plainFileExists } from "../files/plain-file.ts";
import {
  backupPath,
  fileNameOfBackup,
  listFileNames,
  lstatUnlessMissing,
  readTopicText,
  topicPath,
  topicSlugs,
} from "../files/topic-files.ts";
import { replaceIndex } from "./apply-change.ts";
import { isIndexConflictCopy, saveConflictCopy } from "./conflict-copy.ts";
import { restoreBackup } from "./replace-file.ts";
import { type LockedStore, recordExternalChange } from "./store-context.ts";

/**
 * Recovers backups that were never restored, because a writer crashed or two programs wrote at once. A backup whose name
 * is free is moved back, and a text that exists nowhere else is recorded in the history.
 */
export async function recoverBackups(locked: LockedStore): Promise<void> {
  const { directory, context } = locked;
  for (const backup of listFileNames(directory)) {
    const name = fileNameOfBackup(backup);
    const slug = name === undefined ? undefined : slugFromFileName(name);
    if (slug !== undefined) await recoverTopicBackup(locked, slug);
    else if (name === INDEX_FILE) await recoverIndexBackup({ directory, disk: context.disk });
  }
  await mergeIndexCopies(locked);
}

async function recoverTopicBackup(locked: LockedStore, slug: TopicSlug): Promise<void> {
  const { directory, context } = locked;
  const { disk } = context;
  const path = topicPath(directory, slug);
  assertPlainFile(backupPath(path));
  const text = await readValidText(backupPath(path), MAX_TOPIC_BYTES * 4);
  const isFree = lstatUnlessMissing(path) === undefined;
  // A file that is not valid text cannot be recorded, so it is restored in any case.
  const mustRestore = text === undefined || !(await isRemoved(locked, slug));
  if (isFree && mustRestore && (await restoreBackup(disk, path))) return;
  if (text === undefined) return await saveConflictCopy(disk, backupPath(path), path);
  if (!(await isRecorded(locked, slug, text))) {
    const after = isFree ? null : await readTopicText(directory, slug);
    if (text !== after) await recordExternalChange(locked, { slug, before: text, after });
  }
  await removeQuietly(disk, backupPath(path));
}

/** Whether the history says that the topic was removed. */
async function isRemoved({ context }: LockedStore, slug: TopicSlug): Promise<boolean> {
  return (await context.known.read()).get(slug) === null;
}

/** Whether the history has this text of the topic. */
async function isRecorded(
  { context }: LockedStore,
  slug: TopicSlug,
  text: string,
): Promise<boolean> {
  return (await context.history.read()).some(({ files }) =>
    files.some((file) => file.slug === slug && (file.before === text || file.after === text)),
  );
}

/** Moves the backup of an index back, or keeps it as a copy that is merged later. */
export async function recoverIndexBackup({
  directory,
  disk,
}: {
  readonly directory: string;
  readonly disk: Disk;
}): Promise<void> {
  const path = join(directory, INDEX_FILE);
  if (!plainFileExists(backupPath(path))) return;
  if (lstatUnlessMissing(path) === undefined && (await restoreBackup(disk, path))) return;
  await saveConflictCopy(disk, backupPath(path), path);
}

/** Each copy is removed only after it was merged: the process may crash, or find another copy. */
async function mergeIndexCopies(locked: LockedStore): Promise<void> {
  const { directory, context } = locked;
  for (const name of listFileNames(directory).filter(isIndexConflictCopy)) {
    const path = join(directory, name);
    assertPlainFile(path);
    const text = await readValidText(path, MAX_INDEX_FILE_BYTES);
    if (text === undefined) continue;
    const slugs = new Set(topicSlugs(listFileNames(directory)));
    await replaceIndex(locked, (now) => mergeIndex(now.text, text, (slug) => slugs.has(slug)));
    await removeQuietly(context.disk, path);
  }
}

/** `undefined` for a text that cannot be recorded in the history: the file stays where it is. */
async function readValidText(path: string, maxBytes: number): Promise<string | undefined> {
  const file = readTextFile(path, maxBytes, { refuseLinks: true });
  const isWhole = file.kind === "text" && file.readBytes === file.fileBytes;
  return isWhole && file.invalidAt === undefined ? file.text : undefined;
}

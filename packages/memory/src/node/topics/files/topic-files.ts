import { lstatSync, readdirSync, type Stats } from "node:fs";
import { join, sep } from "node:path";
import { terminalSafeLine } from "@caliban/common";
import { errorCode, hasCode, readTextFile, type TextFile } from "@caliban/common/node";
import { MemoryError } from "../../../errors.ts";
import { normalizeText } from "../../../markdown/normalize.ts";
import { newIndex } from "../../../index-file/edit-index.ts";
import { INDEX_FILE, MAX_TOPIC_BYTES } from "../../../topics/limits.ts";
import { slugFromFileName, type TopicSlug } from "../../../topics/slug.ts";

/** More than an index of a hundred thousand topics. */
export const MAX_INDEX_FILE_BYTES: number = 16 * 1024 * 1024;

export function topicPath(directory: string, slug: TopicSlug): string {
  // Not by `join`, which takes longer than the look at the file that follows.
  return `${directory}${sep}${slug}.md`;
}

export function indexPath(directory: string): string {
  return join(directory, INDEX_FILE);
}

const ASIDE = ".old.tmp";

/** Where a file is for the moment in which another takes its place, and where a crash in it leaves it. */
export function backupPath(path: string): string {
  return `${path}${ASIDE}`;
}

/** The file that was moved aside under a name. */
export function fileNameOfBackup(name: string): string | undefined {
  return name.endsWith(`.md${ASIDE}`) ? name.slice(0, -ASIDE.length) : undefined;
}

/** So often both names are looked for: a file may come back from the one while it is sought under the other. */
const MOST_LOOKS = 5;

/** Reads a file of the directory, also one that was moved aside for a moment, or by somebody who died then. */
export async function readFileOrBackup(path: string, maxBytes: number): Promise<TextFile> {
  const read = async (name: string): Promise<TextFile> =>
    await readTextFile(name, maxBytes, { refuseLinks: true });
  let file = await read(path);
  for (let look = 0; file.kind === "missing" && look < MOST_LOOKS; look++) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    const aside = await read(backupPath(path));
    // What has the name is younger than what is aside.
    // oxlint-disable-next-line no-await-in-loop
    file = await read(path);
    if (file.kind === "missing" && aside.kind !== "missing") return aside;
  }
  return file;
}

/**
 * The names of a directory; none when it is not there.
 * @throws MemoryError `REFUSED_FILE`
 */
export function listFileNames(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch (error) {
    const code = errorCode(error);
    if (code === undefined) throw error;
    if (code === "ENOENT") return [];
    throw refusedFileError(directory, `it cannot be listed (${code})`, error);
  }
}

/** The topics that a directory has a file for, whatever is in it. */
export function topicSlugs(names: readonly string[]): readonly TopicSlug[] {
  const slugs = names.flatMap((name) => slugFromFileName(name) ?? []);
  const aside = names.flatMap((name) => fileNameOfBackup(name) ?? []);
  if (aside.length === 0) return slugs;
  const alone = aside.filter((name) => !names.includes(name));
  return [...slugs, ...alone.flatMap((name) => slugFromFileName(name) ?? [])];
}

export interface TopicFile {
  readonly slug: TopicSlug;
  readonly text: string;
  readonly modifiedMs: number;
}

/**
 * The whole text of a topic; `undefined` when there is no such file. What cannot be given back byte for byte is
 * refused, because a write would lose it.
 * @throws MemoryError `REFUSED_FILE`
 */
export async function readTopicFile(
  directory: string,
  slug: TopicSlug,
): Promise<TopicFile | undefined> {
  const path = topicPath(directory, slug);
  const text = await wholeText(path, MAX_TOPIC_BYTES);
  if (text === undefined) return undefined;
  return { slug, text, modifiedMs: statsOf(path)?.mtimeMs ?? 0 };
}

export interface IndexFile {
  /** The file as it is; `null` when there is none. */
  readonly raw: string | null;
  /** The same with LF line ends, or a new one. */
  readonly text: string;
}

/** @throws MemoryError `REFUSED_FILE` */
export async function readIndexFile(directory: string): Promise<IndexFile> {
  const before = (await wholeText(indexPath(directory), MAX_INDEX_FILE_BYTES)) ?? null;
  const isNew = before === null || before.trim() === "";
  return { raw: before, text: isNew ? newIndex() : normalizeText(before) };
}

/** More than this many are not looked at one by one on the way to a prompt. */
const MOST_LOOKED_AT = 2_000;

/** The topics that were written after the index: by hand, because our own writes end with the index. */
export function topicsNewerThanIndex(
  directory: string,
  slugs: readonly TopicSlug[],
): readonly TopicSlug[] {
  const index = statsOf(indexPath(directory));
  if (index === undefined || slugs.length > MOST_LOOKED_AT) return [];
  return slugs.filter(
    (slug) => (statsOf(topicPath(directory, slug))?.mtimeMs ?? 0) > index.mtimeMs,
  );
}

/** What a path is, links not followed. */
export function statsOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    // A name that is too long for a file is no file's; asked for by a model, it is a name like any other.
    if (!hasCode(error, "ENAMETOOLONG")) throw error;
    return undefined;
  }
}

/** The same for a file that may be aside for a moment, and back in the next. */
export function lstatFileOrBackup(path: string): Stats | undefined {
  for (let look = 0; look <= MOST_LOOKS; look++) {
    const stats = statsOf(path) ?? statsOf(backupPath(path));
    if (stats !== undefined) return stats;
  }
  return undefined;
}

async function wholeText(path: string, maxBytes: number): Promise<string | undefined> {
  const file = await readFileOrBackup(path, maxBytes);
  if (file.kind === "missing") return undefined;
  if (file.kind !== "text") throw refusedFileError(path, file.message);
  if (file.readBytes < file.fileBytes) {
    throw refusedFileError(
      path,
      `it has ${file.fileBytes} bytes, more than the ${maxBytes} that are read`,
    );
  }
  if (file.invalidAt !== undefined) {
    const { line, column } = file.invalidAt;
    throw refusedFileError(path, `line ${line}, column ${column} is not UTF-8`);
  }
  return file.text;
}

export function refusedFileError(path: string, why: string, cause?: unknown): MemoryError {
  const sentence = `${terminalSafeLine(path)} cannot be used: ${why}; mend it or move it away`;
  return new MemoryError("REFUSED_FILE", sentence, { cause });
}

import { lstatSync, readdirSync, type Stats } from "node:fs";
import { join, sep } from "node:path";
import { terminalSafeLine } from "@caliban/common";
import { errorCode, hasCode, readTextFile, type TextFile } from "@caliban/common/node";
import { MemoryError } from "../../../errors.ts";
import { newIndex } from "../../../index-file/edit-index.ts";
import { normalizeText } from "../../../markdown/normalize.ts";
import { textVersion } from "../../../store/text-version.ts";
import { INDEX_FILE, MAX_INDEX_FILE_BYTES, MAX_TOPIC_BYTES } from "../../../topics/limits.ts";
import { slugFromFileName, type TopicSlug } from "../../../topics/slug.ts";
import { sha256Hex } from "../../sha256-hex.ts";

export function topicPath(directory: string, slug: TopicSlug): string {
  // Not `join`, which takes longer than the system call that follows.
  return `${directory}${sep}${slug}.md`;
}

/** The version of a file: it depends on the text alone, so that it survives copies and checkouts. */
export function fileVersion(text: string): string {
  return textVersion(text, sha256Hex);
}

export function indexPath(directory: string): string {
  return join(directory, INDEX_FILE);
}

const BACKUP_SUFFIX = ".old.tmp";

/** Where a file is while another one replaces it, and where a crash at that moment leaves it. */
export function backupPath(path: string): string {
  return `${path}${BACKUP_SUFFIX}`;
}

/** The name of the file that a backup was made of. */
export function fileNameOfBackup(name: string): string | undefined {
  return name.endsWith(`.md${BACKUP_SUFFIX}`) ? name.slice(0, -BACKUP_SUFFIX.length) : undefined;
}

/** How often both names are tried: a file may move back to the first name while the second one is being opened. */
const MAX_LOOKUPS = 5;

/** Reads a file of the directory, or its backup if it is being replaced or its writer crashed. */
export async function readFileOrBackup(path: string, maxBytes: number): Promise<TextFile> {
  const read = async (name: string): Promise<TextFile> =>
    readTextFile(name, maxBytes, { refuseLinks: true });
  let file = await read(path);
  for (let lookup = 0; file.kind === "missing" && lookup < MAX_LOOKUPS; lookup++) {
    const backup = await read(backupPath(path));
    // The file is newer than its backup.
    file = await read(path);
    if (file.kind === "missing" && backup.kind !== "missing") return backup;
  }
  return file;
}

/**
 * The names in a directory; none if the directory does not exist.
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

/** The topics that have a file, valid or not. */
export function topicSlugs(names: readonly string[]): readonly TopicSlug[] {
  const slugs = names.flatMap((name) => slugFromFileName(name) ?? []);
  const backups = names.flatMap((name) => fileNameOfBackup(name) ?? []);
  if (backups.length === 0) return slugs;
  const orphaned = backups.filter((name) => !names.includes(name));
  return [...slugs, ...orphaned.flatMap((name) => slugFromFileName(name) ?? [])];
}

/** A topic file, or why there is none. A file that cannot be written back byte for byte is refused. */
export type TopicFile =
  | {
      readonly kind: "text";
      readonly slug: TopicSlug;
      readonly text: string;
      readonly modifiedMs: number;
    }
  | { readonly kind: "missing" }
  | { readonly kind: "refused"; readonly reason: string };

export async function readTopicFile(directory: string, slug: TopicSlug): Promise<TopicFile> {
  const path = topicPath(directory, slug);
  const file = await readWholeFile(path, MAX_TOPIC_BYTES);
  if (file.kind !== "text") return file;
  const modifiedMs = lstatUnlessMissing(path)?.mtimeMs ?? 0;
  return { kind: "text", slug, text: file.text, modifiedMs };
}

/**
 * The text of a topic; `null` if there is no such file.
 * @throws MemoryError `REFUSED_FILE`
 */
export async function readTopicText(directory: string, slug: TopicSlug): Promise<string | null> {
  const file = await readTopicFile(directory, slug);
  if (file.kind === "refused") throw refusedFileError(topicPath(directory, slug), file.reason);
  return file.kind === "text" ? file.text : null;
}

export interface IndexFile {
  /** The file as it is; `null` if there is none. */
  readonly raw: string | null;
  /** The same with LF line ends, or a new index. */
  readonly text: string;
}

/** @throws MemoryError `REFUSED_FILE` */
export async function readIndexFile(directory: string): Promise<IndexFile> {
  const path = indexPath(directory);
  const file = await readWholeFile(path, MAX_INDEX_FILE_BYTES);
  if (file.kind === "refused") throw refusedFileError(path, file.reason);
  const raw = file.kind === "text" ? file.text : null;
  const isEmpty = raw === null || raw.trim() === "";
  return { raw, text: isEmpty ? newIndex() : normalizeText(raw) };
}

type WholeFile =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "missing" }
  | { readonly kind: "refused"; readonly reason: string };

async function readWholeFile(path: string, maxBytes: number): Promise<WholeFile> {
  const file = await readFileOrBackup(path, maxBytes);
  if (file.kind === "missing") return { kind: "missing" };
  if (file.kind !== "text") return { kind: "refused", reason: file.message };
  if (file.readBytes < file.fileBytes) {
    return { kind: "refused", reason: `it has ${file.fileBytes} bytes; the limit is ${maxBytes}` };
  }
  if (file.invalidAt !== undefined) {
    const { line, column } = file.invalidAt;
    return { kind: "refused", reason: `not valid UTF-8 at line ${line}, column ${column}` };
  }
  return { kind: "text", text: file.text };
}

/** More topics than this are not checked one by one on the way to a prompt. */
const MAX_CHECKED_TOPICS = 2_000;

/** The topics that were written after the index: by hand, because our own writes end with the index. */
export function topicsNewerThanIndex(
  directory: string,
  slugs: readonly TopicSlug[],
): readonly TopicSlug[] {
  const index = lstatUnlessMissing(indexPath(directory));
  if (index === undefined || slugs.length > MAX_CHECKED_TOPICS) return [];
  return slugs.filter(
    (slug) => (lstatUnlessMissing(topicPath(directory, slug))?.mtimeMs ?? 0) > index.mtimeMs,
  );
}

/** The stats of a path itself, links not followed. Any failure except a missing file is thrown. */
export function lstatUnlessMissing(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    // A model may ask for any name: one that is too long for a file name simply does not exist.
    if (!hasCode(error, "ENAMETOOLONG")) throw error;
    return undefined;
  }
}

/** The stats of a file, or of its backup if it is being replaced. */
export function lstatFileOrBackup(path: string): Stats | undefined {
  for (let lookup = 0; lookup <= MAX_LOOKUPS; lookup++) {
    const stats = lstatUnlessMissing(path) ?? lstatUnlessMissing(backupPath(path));
    if (stats !== undefined) return stats;
  }
  return undefined;
}

export function refusedFileError(path: string, reason: string, cause?: unknown): MemoryError {
  const message = `cannot use ${terminalSafeLine(path)}: ${reason}; fix it or move it away`;
  return new MemoryError("REFUSED_FILE", message, { cause });
}

import { lstatSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { errorCode, readTextFile } from "@caliban/common/node";
import { INDEX_FILE, MAX_TOPIC_BYTES } from "@caliban/memory";
import type { ForeignFile } from "./foreign-source.ts";

/** More files than any agent keeps for a project, and more than all of them hold. */
const MOST_FILES = 20_000;
const MOST_BYTES = 128 * 1024 * 1024;
/** More than any document that holds topics, or lists them, has. */
export const MAX_DOCUMENT_BYTES: number = 16 * 1024 * 1024;

/** What a directory of Markdown files holds; `undefined` when there is no such directory. */
export interface ForeignDirectory {
  readonly files: readonly ForeignFile[];
  readonly index: ForeignFile | undefined;
  /** Names of what is no Markdown file, and is left where it is. */
  readonly others: readonly string[];
  /** Names of Markdown files beyond those that are looked at. */
  readonly tooMany: readonly string[];
}

export async function readForeignDirectory(
  directory: string,
): Promise<ForeignDirectory | undefined> {
  const names = namesIn(directory);
  if (names === undefined) return undefined;
  const all = names.toSorted();
  const topics = all.filter((name) => isMarkdown(name) && name !== INDEX_FILE);
  const index = all.includes(INDEX_FILE)
    ? await readForeignFile(join(directory, INDEX_FILE), { maxBytes: MAX_DOCUMENT_BYTES })
    : undefined;
  return {
    files: await readAll(topics.slice(0, MOST_FILES).map((name) => join(directory, name))),
    index,
    others: all.filter((name) => !isMarkdown(name)),
    tooMany: topics.slice(MOST_FILES),
  };
}

function isMarkdown(name: string): boolean {
  return name.endsWith(".md") && !name.startsWith(".");
}

/** As many as there is room for; each of the others is named. */
async function readAll(paths: readonly string[]): Promise<readonly ForeignFile[]> {
  const files: ForeignFile[] = [];
  let bytes = 0;
  for (const path of paths) {
    const isRoom = bytes <= MOST_BYTES;
    // oxlint-disable-next-line no-await-in-loop -- it does not really wait
    const file = isRoom ? await readForeignFile(path) : beyond(path);
    if ("text" in file) bytes += file.bytes ?? 0;
    files.push(file);
  }
  return files;
}

function beyond(path: string): ForeignFile {
  const problem = `there are more than ${MOST_BYTES} bytes before it; take it over from a directory of its own`;
  return { name: stemOf(path), path, bytes: sizeOf(path), problem };
}

/** One file, opened once and read from that handle; a link is refused, whatever it leads to. */
export async function readForeignFile(
  path: string,
  {
    name = stemOf(path),
    maxBytes = MAX_TOPIC_BYTES,
  }: { readonly name?: string; readonly maxBytes?: number } = {},
): Promise<ForeignFile> {
  const read = readTextFile(path, maxBytes, { refuseLinks: true });
  const about = { name, path, bytes: sizeOf(path) };
  if (read.kind !== "text")
    return { ...about, problem: read.kind === "missing" ? "it is gone" : read.message };
  if (read.readBytes < read.fileBytes)
    return { ...about, problem: `it has more than ${maxBytes} bytes` };
  if (read.invalidAt !== undefined)
    return { ...about, problem: `line ${read.invalidAt.line} is not UTF-8` };
  // It is in no text that anybody wrote: a tar file, a database, an image.
  if (read.text.includes("\0")) return { ...about, problem: "it is no text" };
  return { ...about, text: read.text };
}

function stemOf(path: string): string {
  return basename(path).replace(/\.md$/, "");
}

function sizeOf(path: string): number | undefined {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats?.isFile() === true ? stats.size : undefined;
}

/** The names in a directory; `undefined` when it cannot be listed. */
export function namesIn(directory: string): readonly string[] | undefined {
  try {
    return readdirSync(directory);
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return undefined;
  }
}

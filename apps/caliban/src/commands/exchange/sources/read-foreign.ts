import { lstatSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { errorCode, readTextFile } from "@caliban/common/node";
import { INDEX_FILE, MAX_TOPIC_BYTES } from "@caliban/memory";
import type { ForeignFile } from "./foreign-source.ts";

/** More files than any agent keeps for a project. */
const MOST_FILES = 2_000;

/** What a directory of Markdown files holds; `undefined` when there is no such directory. */
export interface ForeignDirectory {
  readonly files: readonly ForeignFile[];
  readonly index: ForeignFile | undefined;
  /** Names of what is no Markdown file, and is left where it is. */
  readonly others: readonly string[];
  /** How many Markdown files are beyond what is taken at once. */
  readonly tooMany: number;
}

export async function readForeignDirectory(
  directory: string,
): Promise<ForeignDirectory | undefined> {
  const names = namesIn(directory);
  if (names === undefined) return undefined;
  const all = names.toSorted();
  const markdown = all.filter((name) => name.endsWith(".md") && !name.startsWith("."));
  const allTopics = markdown.filter((name) => name !== INDEX_FILE);
  const topics = allTopics.slice(0, MOST_FILES);
  const files = await Promise.all(topics.map((name) => readForeignFile(join(directory, name))));
  const index = markdown.includes(INDEX_FILE)
    ? await readForeignFile(join(directory, INDEX_FILE))
    : undefined;
  const others = all.filter((name) => !markdown.includes(name));
  return { files, index, others, tooMany: allTopics.length - topics.length };
}

/** One file, opened once and read from that handle; a link is refused, whatever it leads to. */
export async function readForeignFile(
  path: string,
  name: string = stemOf(path),
): Promise<ForeignFile> {
  const read = await readTextFile(path, MAX_TOPIC_BYTES, { refuseLinks: true });
  const about = { name, path, bytes: sizeOf(path) };
  if (read.kind !== "text")
    return { ...about, problem: read.kind === "missing" ? "it is gone" : read.message };
  if (read.readBytes < read.fileBytes)
    return { ...about, problem: `it has more than ${MAX_TOPIC_BYTES} bytes` };
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

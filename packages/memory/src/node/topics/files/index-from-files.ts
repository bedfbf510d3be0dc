import type { FileChange } from "../../../history/change.ts";
import {
  removeIndexLine,
  type IndexEntry,
  renderIndexLine,
  putIndexLine,
  repairIndex,
  type RepairedIndex,
} from "../../../index-file/edit-index.ts";
import { parseIndexLines, unlistedSlugs } from "../../../index-file/index-lines.ts";
import { MAX_HEADER_BYTES } from "../../../topics/limits.ts";
import { slugKey, type TopicSlug } from "../../../topics/slug.ts";
import { topicUpdatedMs } from "../../../store/stored-topic.ts";
import { parseTopicHeader } from "../../../topics/parse-topic.ts";
import {
  topicsNewerThanIndex,
  listFileNames,
  readFileOrBackup,
  statsOf,
  topicPath,
  topicSlugs,
} from "./topic-files.ts";

/** The index with the lines that belong to the files of a change. A topic under a new name keeps its place. */
export function indexAfter(text: string, files: readonly FileChange[]): string {
  const created = files.filter(({ before, after }) => before === null && after !== null);
  const removed = files.filter(({ after }) => after === null);
  const isRename = created.length === 1 && removed.length === 1;
  let index = text;
  for (const { slug, before, after } of files) {
    if (after === null) continue;
    const replacing = isRename && before === null ? removed[0]?.slug : slug;
    index = putIndexLine(index, { ...parseTopicHeader(after), slug }, replacing);
  }
  // The line of a name that differs in case only would go with it.
  const staying = new Set(
    files.filter(({ after }) => after !== null).map(({ slug }) => slugKey(slug)),
  );
  for (const { slug } of removed) {
    if (!staying.has(slugKey(slug))) index = removeIndexLine(index, slug);
  }
  return index;
}

/** An index that was held against the files. */
export interface IndexRepair extends RepairedIndex {
  /** Topics whose line said something else. */
  readonly updated: readonly TopicSlug[];
}

/** Holds an index against the files that are there: lines that are missing are added, dead ones dropped. */
export async function repairFromFiles(
  text: string,
  directory: string,
  mostAdded: number = Infinity,
): Promise<IndexRepair> {
  const slugs = topicSlugs(listFileNames(directory));
  const keys = new Set(slugs.map(slugKey));
  const orphans = unlistedSlugs(slugs, parseIndexLines(text));
  const entries = await Promise.all(orphans.map((slug) => datedEntry(directory, slug)));
  const edited = await editedEntries(text, directory, slugs);
  const missing = entries
    .flatMap((entry) => entry ?? [])
    .toSorted((one, other) => other.updatedMs - one.updatedMs || (one.slug < other.slug ? -1 : 1))
    .slice(0, mostAdded);
  const repaired = repairIndex(text, { isThere: (slug) => keys.has(slugKey(slug)), missing });
  const renewed = edited.reduce((index, entry) => putIndexLine(index, entry), repaired.text);
  return { ...repaired, text: renewed, updated: edited.map(({ slug }) => slug) };
}

/** The topics with a line of ours that says something else than the file does since somebody edited it. */
async function editedEntries(
  text: string,
  directory: string,
  slugs: readonly TopicSlug[],
): Promise<readonly IndexEntry[]> {
  const lines = new Map(
    parseIndexLines(text).flatMap(({ slug, start, end, isGenerated: isOurs }) =>
      isOurs ? [[slug, text.slice(start, end).trim()] as const] : [],
    ),
  );
  const edited = topicsNewerThanIndex(directory, slugs).filter((slug) => lines.has(slug));
  const entries = await Promise.all(edited.map((slug) => datedEntry(directory, slug)));
  return entries
    .flatMap((entry) => entry ?? [])
    .filter((entry) => lines.get(entry.slug) !== renderIndexLine(entry));
}

interface DatedEntry extends IndexEntry {
  readonly updatedMs: number;
}

/** `undefined` for what is no plain file: it gets no line, and `doctor` names it. */
async function datedEntry(directory: string, slug: TopicSlug): Promise<DatedEntry | undefined> {
  const path = topicPath(directory, slug);
  const file = await readFileOrBackup(path, MAX_HEADER_BYTES);
  if (file.kind !== "text") return undefined;
  const header = parseTopicHeader(file.text);
  return { ...header, slug, updatedMs: topicUpdatedMs(header, statsOf(path)?.mtimeMs ?? 0) };
}

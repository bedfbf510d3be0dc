import { putIndexLine, type RepairedIndex, repairIndex } from "../../../index-file/edit-index.ts";
import { parseIndexLines, unlistedSlugs } from "../../../index-file/index-lines.ts";
import { type IndexEntry, renderIndexLine } from "../../../index-file/render-line.ts";
import { withoutSupersededMark } from "../../../index-file/superseded-mark.ts";
import { topicUpdatedMs } from "../../../store/updated-ms.ts";
import { MAX_HEADER_BYTES } from "../../../topics/limits.ts";
import { parseTopicHeader } from "../../../topics/parse-topic.ts";
import { slugKey, type TopicSlug } from "../../../topics/slug.ts";
import {
  listFileNames,
  lstatUnlessMissing,
  readFileOrBackup,
  topicPath,
  topicsNewerThanIndex,
  topicSlugs,
} from "./topic-files.ts";

/** An index that was checked against the files. */
export interface IndexRepair extends RepairedIndex {
  /** Topics whose line was out of date. */
  readonly updated: readonly TopicSlug[];
}

/** Checks an index against the existing files: adds missing lines, removes dead ones and updates stale ones. */
export async function repairFromFiles(
  text: string,
  directory: string,
  maxAdded: number = Infinity,
): Promise<IndexRepair> {
  const slugs = topicSlugs(listFileNames(directory));
  const keys = new Set(slugs.map(slugKey));
  const orphans = unlistedSlugs(slugs, parseIndexLines(text));
  const entries = await Promise.all(orphans.map((slug) => readEntry(directory, slug)));
  const edited = await editedEntries(text, directory, slugs);
  const missing = entries
    .flatMap((entry) => entry ?? [])
    .toSorted((one, other) => other.updatedMs - one.updatedMs || (one.slug < other.slug ? -1 : 1))
    .slice(0, maxAdded);
  const repaired = repairIndex(text, { exists: (slug) => keys.has(slugKey(slug)), missing });
  const updated = edited.reduce((index, entry) => putIndexLine(index, entry), repaired.text);
  return { ...repaired, text: updated, updated: edited.map(({ slug }) => slug) };
}

/** Topics that were edited by hand and whose generated line no longer matches. */
async function editedEntries(
  text: string,
  directory: string,
  slugs: readonly TopicSlug[],
): Promise<readonly IndexEntry[]> {
  const lines = new Map(
    parseIndexLines(text).flatMap(({ slug, start, end, isGenerated }) =>
      isGenerated ? [[slug, withoutSupersededMark(text.slice(start, end)).trim()] as const] : [],
    ),
  );
  const edited = topicsNewerThanIndex(directory, slugs).filter((slug) => lines.has(slug));
  const entries = await Promise.all(edited.map((slug) => readEntry(directory, slug)));
  return entries
    .flatMap((entry) => entry ?? [])
    .filter((entry) => lines.get(entry.slug) !== renderIndexLine(entry));
}

interface DatedEntry extends IndexEntry {
  readonly updatedMs: number;
}

/** `undefined` for anything but a regular file: it gets no line, and `doctor` reports it. */
async function readEntry(directory: string, slug: TopicSlug): Promise<DatedEntry | undefined> {
  const path = topicPath(directory, slug);
  const file = await readFileOrBackup(path, MAX_HEADER_BYTES);
  if (file.kind !== "text") return undefined;
  const header = parseTopicHeader(file.text);
  const modifiedMs = lstatUnlessMissing(path)?.mtimeMs ?? 0;
  return { ...header, slug, updatedMs: topicUpdatedMs(header, modifiedMs) };
}

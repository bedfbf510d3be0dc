import type { Stats } from "node:fs";
import { sortNewestFirst } from "../../../store/stored-topic.ts";
import { topicUpdatedMs } from "../../../store/updated-ms.ts";
import type { TopicList, TopicSummary, UnreadableTopic } from "../../../store/topic-store.ts";
import { MAX_HEADER_BYTES } from "../../../topics/limits.ts";
import { parseTopicHeader } from "../../../topics/parse-topic.ts";
import type { TopicSlug } from "../../../topics/slug.ts";
import {
  listFileNames,
  lstatFileOrBackup,
  readFileOrBackup,
  topicPath,
  topicSlugs,
} from "./topic-files.ts";

/** Lists a directory. A file is read again only when its time, size or inode has changed. */
export interface TopicListing {
  readonly list: (directory: string) => Promise<TopicList>;
}

type ListedTopic = TopicSummary | UnreadableTopic;

/** A file that may hold a topic. */
interface NamedFile {
  readonly slug: TopicSlug;
  readonly path: string;
}

interface KnownFile {
  readonly mtimeMs: number;
  readonly size: number;
  readonly ino: number;
  readonly topic: ListedTopic;
}

export function createTopicListing(): TopicListing {
  const findFiles = createFileFinder();
  let known: ReadonlyMap<TopicSlug, KnownFile> = new Map();
  let list: TopicList = { topics: [], problems: [] };
  return {
    list: async (directory) => {
      const files = findFiles(directory);
      const all = files.map(({ path }) => lstatFileOrBackup(path));
      // Most lists change nothing, and checking that costs little more than the system calls.
      if (isSame(files, all, known)) return list;
      const next = new Map<TopicSlug, KnownFile>();
      for (const [at, { slug, path }] of files.entries()) {
        const stats = all[at];
        if (stats === undefined) continue;
        const before = known.get(slug);
        // Reads synchronously; thousands of promises would cost more.
        const file = isUnchanged(before, stats) ? before : await readFile(path, slug, stats);
        if (file !== undefined) next.set(slug, file);
      }
      list = toList([...next.values()]);
      known = next;
      return list;
    },
  };
}

/** Finds the files of a directory. Names that are the same as last time are not parsed again. */
function createFileFinder(): (directory: string) => readonly NamedFile[] {
  let last: { readonly directory: string; readonly names: readonly string[] } | undefined;
  let files: readonly NamedFile[] = [];
  return (directory) => {
    const names = listFileNames(directory);
    const isKnown =
      last?.directory === directory &&
      last.names.length === names.length &&
      names.every((name, at) => name === last?.names[at]);
    if (!isKnown)
      files = topicSlugs(names).map((slug) => ({ slug, path: topicPath(directory, slug) }));
    last = { directory, names };
    return files;
  };
}

function isSame(
  files: readonly NamedFile[],
  all: readonly (Stats | undefined)[],
  known: ReadonlyMap<TopicSlug, KnownFile>,
): boolean {
  return (
    files.length === known.size &&
    files.every(({ slug }, at) => {
      const stats = all[at];
      return stats !== undefined && isUnchanged(known.get(slug), stats);
    })
  );
}

/** An unreadable file is always tried again: the reason may be outside the file. */
function isUnchanged(known: KnownFile | undefined, stats: Stats): known is KnownFile {
  return (
    known?.mtimeMs === stats.mtimeMs &&
    known.size === stats.size &&
    known.ino === stats.ino &&
    isReadable(known.topic)
  );
}

async function readFile(
  path: string,
  slug: TopicSlug,
  stats: Stats,
): Promise<KnownFile | undefined> {
  const topic = await readSummary(path, slug, stats);
  const { mtimeMs, size, ino } = stats;
  return topic && { mtimeMs, size, ino, topic };
}

/** `undefined` for a file that was removed in the meantime. */
async function readSummary(
  path: string,
  slug: TopicSlug,
  stats: { readonly mtimeMs: number; readonly size: number },
): Promise<ListedTopic | undefined> {
  const file = await readFileOrBackup(path, MAX_HEADER_BYTES);
  if (file.kind === "missing") return undefined;
  if (file.kind !== "text") {
    const message = `cannot read ${slug}.md: ${file.message}; fix it or move it away`;
    return { code: "UNREADABLE", slug, message };
  }
  const header = parseTopicHeader(file.text);
  const { description, type, problems } = header;
  return {
    slug,
    description,
    type,
    problems,
    bytes: stats.size,
    updatedMs: topicUpdatedMs(header, stats.mtimeMs),
  };
}

function toList(files: readonly KnownFile[]): TopicList {
  const topics = files.map(({ topic }) => topic);
  return {
    topics: sortNewestFirst(topics.filter(isReadable)),
    problems: topics.filter((topic) => "message" in topic),
  };
}

function isReadable(topic: ListedTopic): topic is TopicSummary {
  return "bytes" in topic;
}

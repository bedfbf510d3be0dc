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

interface KnownFile {
  readonly mtimeMs: number;
  readonly size: number;
  readonly ino: number;
  readonly topic: ListedTopic;
}

export function createTopicListing(): TopicListing {
  let known: ReadonlyMap<TopicSlug, KnownFile> = new Map();
  let list: TopicList = { topics: [], problems: [] };
  return {
    list: async (directory) => {
      const next = new Map<TopicSlug, KnownFile>();
      let isChanged = false;
      for (const slug of topicSlugs(listFileNames(directory))) {
        const path = topicPath(directory, slug);
        const stats = lstatFileOrBackup(path);
        if (stats === undefined) continue;
        const before = known.get(slug);
        if (before !== undefined && isUnchanged(before, stats)) {
          next.set(slug, before);
          continue;
        }
        isChanged = true;
        // Reads synchronously; thousands of promises would cost more.
        const topic = await readSummary(path, slug, stats);
        const { mtimeMs, size, ino } = stats;
        if (topic !== undefined) next.set(slug, { mtimeMs, size, ino, topic });
      }
      // An unchanged list is not sorted again.
      if (isChanged || next.size !== known.size) list = toList([...next.values()]);
      known = next;
      return list;
    },
  };
}

/** An unreadable file is always tried again: the reason may be outside the file. */
function isUnchanged(known: KnownFile, stats: Stats): boolean {
  return (
    known.mtimeMs === stats.mtimeMs &&
    known.size === stats.size &&
    known.ino === stats.ino &&
    isReadable(known.topic)
  );
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

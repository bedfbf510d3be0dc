import { readTextFile } from "@caliban/common/node";
import type { TopicSlug } from "../../topic/slug.ts";
import type { TopicList, TopicSummary, UnreadableTopic } from "../../topic/store.ts";
import { newestFirst, updatedMs } from "../../topic/stored-topic.ts";
import { parseTopicHeader } from "../../topic/topic.ts";
import { namesIn, statsOf, topicPath, topicSlugs } from "./topic-files.ts";

/** A header is at most 16 KiB long; the body does not matter here. */
const HEADER_BYTES = 17 * 1024;

/** Lists a directory, and remembers what it read as long as time and size of a file stay the same. */
export interface TopicListing {
  readonly list: (directory: string) => Promise<TopicList>;
}

interface Remembered {
  readonly sign: string;
  readonly found: TopicSummary | UnreadableTopic;
}

export function createTopicListing(): TopicListing {
  let remembered: ReadonlyMap<string, Remembered> = new Map();
  return {
    list: async (directory) => {
      const next = new Map<string, Remembered>();
      for (const slug of topicSlugs(namesIn(directory))) {
        const path = topicPath(directory, slug);
        const stats = statsOf(path);
        if (stats === undefined) continue;
        const sign = `${stats.mtimeMs}:${stats.size}:${stats.ino}`;
        const known = remembered.get(path);
        // oxlint-disable-next-line no-await-in-loop -- it does not really wait, and thousands at once would cost more
        const found = known?.sign === sign ? known.found : await summaryOf(path, slug, stats);
        next.set(path, { sign, found });
      }
      remembered = next;
      return toList([...next.values()]);
    },
  };
}

async function summaryOf(
  path: string,
  slug: TopicSlug,
  stats: { readonly mtimeMs: number; readonly size: number },
): Promise<TopicSummary | UnreadableTopic> {
  const file = await readTextFile(path, HEADER_BYTES, { refuseLinks: true });
  if (file.kind !== "text") return { slug, sentence: `${slug}.md cannot be read: ${file.message}` };
  const header = parseTopicHeader(file.text);
  const { description, type, problems } = header;
  return {
    slug,
    description,
    type,
    problems,
    bytes: stats.size,
    updatedMs: updatedMs(header, stats.mtimeMs),
  };
}

function toList(all: readonly Remembered[]): TopicList {
  const found = all.map((entry) => entry.found);
  return {
    topics: newestFirst(found.filter((item) => "bytes" in item)),
    problems: found.filter((item) => "sentence" in item),
  };
}

import type { Stats } from "node:fs";
import { MAX_HEADER_BYTES } from "../../../topics/limits.ts";
import type { TopicSlug } from "../../../topics/slug.ts";
import type { TopicList, TopicSummary, UnreadableTopic } from "../../../store/topic-store.ts";
import { sortNewestFirst, topicUpdatedMs } from "../../../store/stored-topic.ts";
import { parseTopicHeader } from "../../../topics/parse-topic.ts";
import { listFileNames, lstatFileOrBackup, readFileOrBackup, topicPath, topicSlugs } from "./topic-files.ts";

/** Lists a directory, and remembers what it read as long as time and size of a file stay the same; a failure may pass. */
export interface TopicListing {
  readonly list: (directory: string) => Promise<TopicList>;
}

interface Remembered {
  readonly mtimeMs: number;
  readonly size: number;
  readonly ino: number;
  readonly found: TopicSummary | UnreadableTopic;
}

export function createTopicListing(): TopicListing {
  let remembered: ReadonlyMap<TopicSlug, Remembered> = new Map();
  let list: TopicList = { topics: [], problems: [] };
  return {
    list: async (directory) => {
      const next = new Map<TopicSlug, Remembered>();
      let isChanged = false;
      for (const slug of topicSlugs(listFileNames(directory))) {
        const path = topicPath(directory, slug);
        const stats = lstatFileOrBackup(path);
        if (stats === undefined) continue;
        const known = remembered.get(slug);
        if (known !== undefined && isSame(known, stats)) {
          next.set(slug, known);
          continue;
        }
        isChanged = true;
        // oxlint-disable-next-line no-await-in-loop -- it does not really wait, and thousands at once would cost more
        const found = await summaryOf(path, slug, stats);
        if (found !== undefined) next.set(slug, { ...signOf(stats), found });
      }
      // A list that is as it was is not sorted again.
      if (isChanged || next.size !== remembered.size) list = toList([...next.values()]);
      remembered = next;
      return list;
    },
  };
}

function signOf({ mtimeMs, size, ino }: Stats): Omit<Remembered, "found"> {
  return { mtimeMs, size, ino };
}

/** What could not be read is looked at again: why it could not may have nothing to do with the file. */
function isSame(known: Remembered, stats: Stats): boolean {
  return (
    known.mtimeMs === stats.mtimeMs &&
    known.size === stats.size &&
    known.ino === stats.ino &&
    "bytes" in known.found
  );
}

/** `undefined` for one that somebody took away since. */
async function summaryOf(
  path: string,
  slug: TopicSlug,
  stats: { readonly mtimeMs: number; readonly size: number },
): Promise<TopicSummary | UnreadableTopic | undefined> {
  const file = await readFileOrBackup(path, MAX_HEADER_BYTES);
  if (file.kind === "missing") return undefined;
  if (file.kind !== "text")
    return {
      slug,
      message: `${slug}.md cannot be read: ${file.message}; mend it or move it away`,
    };
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

function toList(all: readonly Remembered[]): TopicList {
  const found = all.map((entry) => entry.found);
  return {
    topics: sortNewestFirst(found.filter((item) => "bytes" in item)),
    problems: found.filter((item) => "sentence" in item),
  };
}

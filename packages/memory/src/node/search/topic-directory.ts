import { lstatSync, readdirSync, type Stats } from "node:fs";
import { errorCode, hasCode } from "@caliban/common/node";
import { MemoryError } from "../../errors.ts";
import type { ReadEntry, SearchSource, SourceEntry } from "../../search/live-index/source.ts";
import {
  shownTopic,
  slugFromId,
  slugFromKey,
  topicDocument,
  topicKey,
  TOPICS,
  type TopicSourceName,
} from "../../search/live-index/topic-document.ts";
import { topicUpdatedMs } from "../../store/updated-ms.ts";
import { parseTopic } from "../../topics/topic-file.ts";
import { slugFromFileName } from "../../topics/slug.ts";
import { readTopicFile, topicPath, topicSlugs } from "../topics/files/topic-files.ts";

interface TopicDirectoryOptions {
  readonly name?: TopicSourceName | undefined;
  readonly now?: (() => number) | undefined;
}

/** The topics of a directory, for an index: every file that a store would read. Its messages contain no paths. */
export function topicDirectorySource(
  directory: string,
  { name = TOPICS, now = Date.now }: TopicDirectoryOptions = {},
): SearchSource {
  return {
    name,
    list: async () => listTopics(directory, now()),
    read: async ({ key }) => await readTopic(directory, slugFromKey(key), name),
    show: async (id) => {
      const slug = slugFromFileName(`${slugFromId(id, name) ?? ""}.md`);
      const file = slug === undefined ? undefined : await readTopicFile(directory, slug);
      return file?.kind === "text"
        ? shownTopic({ slug: file.slug, topic: await parseTopic(file.text) }, name)
        : undefined;
    },
  };
}

function listTopics(directory: string, nowMs: number): readonly SourceEntry[] {
  const entries: SourceEntry[] = [];
  for (const slug of topicSlugs(listNames(directory))) {
    const stats = lstatIfPresent(topicPath(directory, slug), `${slug}.md`);
    if (stats !== undefined) {
      entries.push({ key: topicKey(slug), fingerprint: fingerprintOf(stats, nowMs) });
    }
  }
  return entries;
}

/** None if the directory does not exist. */
function listNames(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch (error) {
    const code = errorCode(error);
    if (code === undefined) throw error;
    if (code === "ENOENT") return [];
    throw refused(`their directory cannot be listed (${code})`, error);
  }
}

/** The file may have been removed since it was listed, and so may the directory. */
function lstatIfPresent(path: string, name: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (hasCode(error, "ENOTDIR", "ELOOP")) return undefined;
    const code = errorCode(error);
    if (code === undefined) throw error;
    throw refused(`${name} is not accessible (${code})`, error);
  }
}

function refused(message: string, cause: unknown): MemoryError {
  return new MemoryError("REFUSED_FILE", message, { cause });
}

/** The clock of a file system may stand still this long, so that two writes within it have the same time. */
const TICK_MS = 20;
const COARSE_TICK_MS = 2_000;

/** A recently written file gets a temporary fingerprint, so that it is read once more. */
function fingerprintOf({ mtimeMs, size, ino }: Stats, nowMs: number): string {
  const ageMs = nowMs - mtimeMs;
  const isRecent = ageMs < TICK_MS || (ageMs < COARSE_TICK_MS && mtimeMs % 1000 === 0);
  return `${mtimeMs}:${size}:${ino}${isRecent ? "~" : ""}`;
}

async function readTopic(
  directory: string,
  name: string,
  source: TopicSourceName,
): Promise<ReadEntry | undefined> {
  const slug = slugFromFileName(`${name}.md`);
  if (slug === undefined) return undefined;
  const nothing = { change: "replace", documents: [], cursor: "" } as const;
  const file = await readTopicFile(directory, slug);
  if (file.kind === "missing") return undefined;
  if (file.kind === "refused") {
    return {
      ...nothing,
      problem: `Cannot use ${slug}.md: ${file.reason}. Fix it or move it away.`,
    };
  }
  const topic = await parseTopic(file.text);
  const updatedMs = topicUpdatedMs(topic, file.modifiedMs);
  return { ...nothing, documents: [topicDocument({ slug, topic, updatedMs }, source)] };
}

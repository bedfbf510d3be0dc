import { lstatSync, type Stats } from "node:fs";
import { sep } from "node:path";
import { terminalSafeLine } from "@caliban/common";
import { errorCode, hasCode } from "@caliban/common/node";
import {
  shownTopic,
  slugOfId,
  slugOfKey,
  topicDocument,
  topicKey,
  TOPICS,
} from "../../search/topic-document.ts";
import type { ReadEntry, SearchSource, SourceEntry } from "../../search/source.ts";
import { MemoryError } from "../../errors.ts";
import { slugFromFileName } from "../../topics/slug.ts";
import { topicUpdatedMs } from "../../store/stored-topic.ts";
import { parseTopic } from "../../topics/parse-topic.ts";
import {
  listFileNames,
  readTopicFile,
  refusedFileError,
  topicPath,
  topicSlugs,
} from "../topics/files/topic-files.ts";

/** The topics of a directory, for an index: each file that a store would read. */
export function topicDirectorySource(directory: string, now: () => number = Date.now): SearchSource {
  return {
    name: TOPICS,
    list: async () => {
      try {
        return listTopics(directory, now());
      } catch (error) {
        if (!(error instanceof MemoryError)) throw error;
        const sentence = withoutPath(error.message, directory);
        throw new MemoryError(error.code, sentence, { cause: error });
      }
    },
    read: async ({ key }) => await readTopic(directory, slugOfKey(key)),
    show: async (id) => {
      const slug = slugFromFileName(`${slugOfId(id) ?? ""}.md`);
      const file = slug === undefined ? undefined : await readTopicFile(directory, slug);
      return file && shownTopic({ slug: file.slug, topic: parseTopic(file.text) });
    },
  };
}

function listTopics(directory: string, nowMs: number): readonly SourceEntry[] {
  const entries: SourceEntry[] = [];
  for (const slug of topicSlugs(listFileNames(directory))) {
    const stats = statsIfThere(topicPath(directory, slug));
    if (stats !== undefined) entries.push({ key: topicKey(slug), fingerprint: signOf(stats, nowMs) });
  }
  return entries;
}

/** It may be gone since its name was read, and so may be the directory. */
function statsIfThere(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (hasCode(error, "ENOTDIR", "ELOOP")) return undefined;
    const code = errorCode(error);
    if (code === undefined) throw error;
    throw refusedFileError(path, `it cannot be looked at (${code})`, error);
  }
}

/** A clock of files may stand still for as long as this, so that a second write within it cannot be told from the first. */
const TICK_MS = 20;
const COARSE_TICK_MS = 2_000;

/** Young files get a sign that they lose, so that they are read once more. */
function signOf({ mtimeMs, size, ino }: Stats, nowMs: number): string {
  const ageMs = nowMs - mtimeMs;
  const isYoung = ageMs < TICK_MS || (ageMs < COARSE_TICK_MS && mtimeMs % 1000 === 0);
  return `${mtimeMs}:${size}:${ino}${isYoung ? "~" : ""}`;
}

async function readTopic(directory: string, name: string): Promise<ReadEntry | undefined> {
  const slug = slugFromFileName(`${name}.md`);
  if (slug === undefined) return undefined;
  const nothing = { change: "replace", documents: [], memo: "" } as const;
  try {
    const file = await readTopicFile(directory, slug);
    if (file === undefined) return undefined;
    const topic = parseTopic(file.text);
    const document = topicDocument({ slug, topic, updatedMs: topicUpdatedMs(topic, file.modifiedMs) });
    return { ...nothing, documents: [document] };
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
    return { ...nothing, problem: `${withoutPath(error.message, directory)}.` };
  }
}

/** What is said here is told a model, which need not know where the files of a person are. */
function withoutPath(sentence: string, directory: string): string {
  const path = terminalSafeLine(directory);
  return sentence.replaceAll(`${path}${sep}`, "").replaceAll(path, "their directory");
}

import { join } from "node:path";
import {
  listNames,
  nodeDisk,
  readTextFile,
  removeIfExists,
  withLock,
  writeFileAtomic,
} from "@caliban/common/node";
import { checkArguments } from "../../check-arguments.ts";
import { renderIndexLine } from "../../index-file/render-line.ts";
import { MAX_TOPIC_BYTES } from "../../topics/limits.ts";
import { parseTopicSlug, slugFromFileName, type TopicSlug } from "../../topics/slug.ts";
import { renderTopic } from "../../topics/topic-file.ts";
import type { TopicFields } from "../../topics/topic-fields.ts";
import type { TopicType } from "../../topics/topic-type.ts";
import { reportUnwritable } from "../report-unwritable.ts";
import { indexPath, topicPath } from "./files/topic-files.ts";

/** A topic that a team shares. */
export interface SharedTopicFile extends Pick<TopicFields, "applies" | "supersedes" | "evidence"> {
  readonly slug: string;
  readonly description: string;
  readonly type: TopicType;
  readonly body: string;
  /** Who shared it. */
  readonly author: string;
  /** When it was last changed, in ISO 8601. */
  readonly updated: string;
}

/**
 * Makes a directory hold exactly these topics and an index of them, for `loadMemory` and searches. It is derived: whatever
 * else is in it goes. Only what changed is written, and the index last.
 *
 * @throws MemoryError `UNWRITABLE`
 */
export async function writeSharedTopics(
  directory: string,
  topics: readonly SharedTopicFile[],
): Promise<void> {
  checkArguments(
    "writeSharedTopics",
    { directory, topics },
    { directory: "string", topics: "list" },
  );
  const newestFirst = topics.toSorted((one, other) => compare(other, one));
  const files = await Promise.all(
    newestFirst.map(async (topic) => {
      const slug = parseTopicSlug(topic.slug);
      return { slug, text: await renderShared(slug, topic) };
    }),
  );
  const lines = newestFirst.map((topic) =>
    renderIndexLine({ ...topic, slug: parseTopicSlug(topic.slug) }),
  );
  await reportUnwritable(directory, async () => {
    await nodeDisk.makeDirectory(directory);
    await withLock({ path: join(directory, ".lock") }, async () => {
      await removeOthers(directory, new Set(files.map(({ slug }) => slug)));
      for (const { slug, text } of files) await writeIfChanged(topicPath(directory, slug), text);
      await writeFileAtomic(indexPath(directory), lines.map((line) => `${line}\n`).join(""));
    });
  });
}

/** By time, then by name, so that the same topics give the same index everywhere. */
function compare(one: SharedTopicFile, other: SharedTopicFile): number {
  if (one.updated !== other.updated) return one.updated < other.updated ? -1 : 1;
  return one.slug < other.slug ? 1 : -1;
}

/** With the author as the first key, which nothing in the shared file can set. */
async function renderShared(slug: TopicSlug, topic: SharedTopicFile): Promise<string> {
  const { author, description, type, body, applies, supersedes, evidence } = topic;
  const fields = { applies, supersedes, evidence };
  const text = await renderTopic({
    name: slug,
    description,
    type,
    body,
    ...fields,
    updated: topic.updated,
  });
  return text.replace(/^---\n/, () => `---\nauthor: ${JSON.stringify(author.toWellFormed())}\n`);
}

async function removeOthers(directory: string, slugs: ReadonlySet<string>): Promise<void> {
  for (const name of listNames(directory)) {
    const slug = slugFromFileName(name);
    const isStale = slug === undefined ? name.endsWith(".tmp") : !slugs.has(slug);
    if (isStale) await removeIfExists(nodeDisk, join(directory, name));
  }
}

async function writeIfChanged(path: string, text: string): Promise<void> {
  const file = readTextFile(path, MAX_TOPIC_BYTES, { refuseLinks: true });
  if (file.kind === "text" && file.text === text) return;
  await writeFileAtomic(path, text);
}

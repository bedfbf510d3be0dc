import { parseTopic } from "../topics/parse-topic.ts";
import type { TopicSlug } from "../topics/slug.ts";
import type { StoredTopic, TopicSummary } from "./topic-store.ts";
import { topicUpdatedMs } from "./updated-ms.ts";

/** The text of a topic with its version, parsed. */
export function toStoredTopic({
  slug,
  version,
  text,
  modifiedMs,
}: {
  readonly slug: TopicSlug;
  readonly version: string;
  readonly text: string;
  readonly modifiedMs: number;
}): StoredTopic {
  const topic = parseTopic(text);
  return { slug, text, topic, hash: version, updatedMs: topicUpdatedMs(topic, modifiedMs) };
}

/** The order of every list: newest first, and by name for equal times. */
export function sortNewestFirst(topics: readonly TopicSummary[]): readonly TopicSummary[] {
  return topics.toSorted(
    (one, other) => other.updatedMs - one.updatedMs || (one.slug < other.slug ? -1 : 1),
  );
}

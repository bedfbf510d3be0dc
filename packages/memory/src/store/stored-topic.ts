import type { Sha256Hex } from "../project/slug.ts";
import { parseTopic, type TopicHeader } from "../topics/parse-topic.ts";
import type { TopicSlug } from "../topics/slug.ts";
import type { StoredTopic, TopicSummary } from "./topic-store.ts";

const HASH_CHARACTERS = 12;

export function toStoredTopic(
  file: { readonly slug: TopicSlug; readonly text: string; readonly modifiedMs: number },
  sha256Hex: Sha256Hex,
): StoredTopic {
  const { slug, text, modifiedMs } = file;
  const topic = parseTopic(text);
  return {
    slug,
    text,
    topic,
    hash: topicHash(text, sha256Hex),
    updatedMs: topicUpdatedMs(topic, modifiedMs),
  };
}

/** Long enough to tell apart any two texts that one topic ever had. */
export function topicHash(text: string, sha256Hex: Sha256Hex): string {
  return sha256Hex(text).slice(0, HASH_CHARACTERS);
}

/** The time in the header, because copying a file or checking it out changes its modification time. */
export function topicUpdatedMs({ updated }: TopicHeader, modifiedMs: number): number {
  const time = Date.parse(updated ?? "");
  return Number.isNaN(time) ? modifiedMs : time;
}

/** The order of every list: newest first, and by name for equal times. */
export function sortNewestFirst(topics: readonly TopicSummary[]): readonly TopicSummary[] {
  return topics.toSorted(
    (one, other) => other.updatedMs - one.updatedMs || (one.slug < other.slug ? -1 : 1),
  );
}

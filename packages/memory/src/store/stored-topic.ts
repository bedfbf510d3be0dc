import type { Sha256Hex } from "../project/slug.ts";
import type { TopicSlug } from "../topics/slug.ts";
import type { StoredTopic, TopicSummary } from "./topic-store.ts";
import { type TopicHeader, parseTopic } from "../topics/parse-topic.ts";

const HASH_CHARACTERS = 12;

/** A topic from the text of its file. */
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

/** Enough of a hash to tell any two texts apart that one topic ever had. */
export function topicHash(text: string, sha256Hex: Sha256Hex): string {
  return sha256Hex(text).slice(0, HASH_CHARACTERS);
}

/** The time that the header has, because a copy or a checkout changes the file's. */
export function topicUpdatedMs({ updated }: TopicHeader, modifiedMs: number): number {
  const time = Date.parse(updated ?? "");
  return Number.isNaN(time) ? modifiedMs : time;
}

/** Newest first, and by name where the time is the same: the order of every list. */
export function sortNewestFirst(topics: readonly TopicSummary[]): readonly TopicSummary[] {
  return topics.toSorted(
    (one, other) => other.updatedMs - one.updatedMs || (one.slug < other.slug ? -1 : 1),
  );
}

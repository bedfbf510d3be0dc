import { slugKey, type TopicSlug } from "../../topics/slug.ts";
import type { StoredTopic } from "../topic-store.ts";

/** A topic that is like an earlier one. */
export interface Duplicate {
  readonly slug: TopicSlug;
  readonly other: TopicSlug;
  /** Names are the same if only some file systems tell them apart. */
  readonly same: "text" | "name";
}

const TOPICS_AT_ONCE = 200;

/**
 * Finds topics with the same text or name.
 * @yields a duplicate; between many topics `undefined`, so that the caller can do something else
 */
export function* findDuplicates(topics: readonly StoredTopic[]): Generator<Duplicate | undefined> {
  const repeated = yield* repeatedOpenings(topics);
  const [byText, byName] = [new Map<string, TopicSlug>(), new Map<string, TopicSlug>()];
  for (const [at, { slug, topic }] of topics.entries()) {
    if (at % TOPICS_AT_ONCE === 0) yield undefined;
    // The whole text is compared only if another one starts like it.
    const text = repeated.has(readOpening(topic.body)) ? foldSpaces(topic.body) : "";
    const [sameText, sameName] = [byText.get(text), byName.get(slugKey(slug))];
    if (text !== "") byText.set(text, sameText ?? slug);
    byName.set(slugKey(slug), sameName ?? slug);
    if (sameText !== undefined) yield { slug, other: sameText, same: "text" };
    if (sameName !== undefined) yield { slug, other: sameName, same: "name" };
  }
}

function* repeatedOpenings(
  topics: readonly StoredTopic[],
): Generator<undefined, ReadonlySet<string>> {
  const [seen, repeated] = [new Set<string>(), new Set<string>()];
  for (const [at, { topic }] of topics.entries()) {
    if (at % TOPICS_AT_ONCE === 0) yield undefined;
    const opening = readOpening(topic.body);
    (seen.has(opening) ? repeated : seen).add(opening);
  }
  return repeated;
}

/** The first words. */
function readOpening(body: string): string {
  const [, ...words] = /^\s*(\S*)\s*(\S*)\s*(\S*)\s*(\S*)\s*(\S*)/.exec(body) ?? [];
  return words.join(" ").toLowerCase();
}

function foldSpaces(body: string): string {
  return body.split(/\s+/).join(" ").toLowerCase();
}

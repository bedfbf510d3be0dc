import { MemoryError } from "../../errors.ts";
import { searchTerms } from "../../search/analyzer/query-terms.ts";
import { MOST_RECALLED, type RecalledTopic } from "../../search/recall/recall-note.ts";
import {
  type MatchedTopic,
  type StrongMatch,
  strongMatches,
} from "../../search/recall/strong-matches.ts";
import type { SearchCache } from "../../search/search-cache.ts";
import { slugOfId } from "../../search/topic-document.ts";
import { slugOfFile } from "../../topic/slug.ts";
import { parseTopic } from "../../topic/topic.ts";
import { namesIn, readTopicFile, topicSlugs } from "../topics/topic-files.ts";

export interface RecallTopicsInput {
  /** Where the topics are. */
  readonly directory: string;
  readonly cache: Pick<SearchCache, "asItWas">;
  readonly message: string;
  /** Whether a topic is not to be named again. */
  readonly isKnown: (slug: string) => boolean;
}

/** A larger index takes longer to take up than a message may wait. */
const MOST_SNAPSHOT_BYTES = 256 * 1024;
/** Of an index that holds other things as well. */
const MOST_HITS = 16;
/** As many names as can be held against a message in that time. */
const MOST_NAMES = 500;

/**
 * The topics that a message speaks of, at most three, as they are on the disk now. It never waits for an index: without one
 * that is at hand, topics are known by their names alone.
 */
export async function recallTopics(input: RecallTopicsInput): Promise<readonly RecalledTopic[]> {
  const { directory, cache, message, isKnown } = input;
  const index = cache.asItWas(MOST_SNAPSHOT_BYTES);
  const search = (query: string): readonly MatchedTopic[] =>
    (index?.search(query, { kind: "topics", limit: MOST_HITS }).topics ?? []).flatMap(
      ({ id, coverage }) => {
        const slug = slugOfId(id);
        return slug === undefined ? [] : [{ slug, coverage }];
      },
    );
  const found = strongMatches(message, index === undefined ? byName(directory) : search);
  const fresh = found.filter(({ slug }) => !isKnown(slug)).slice(0, MOST_RECALLED);
  const topics = await Promise.all(fresh.map((match) => readHeader(directory, match)));
  return topics.filter((topic) => topic !== undefined);
}

/** Finds topics by what they are called; none where there are too many to look at. */
function byName(directory: string): (query: string) => readonly MatchedTopic[] {
  let names: readonly { readonly slug: string; readonly terms: readonly string[] }[] | undefined;
  return (query) => {
    names ??= slugsIn(directory).map((slug) => ({ slug, terms: searchTerms(slug) }));
    const wanted = searchTerms(query);
    return names.flatMap(({ slug, terms }) => {
      const held = wanted.filter((term) => terms.includes(term)).length;
      return held === 0 ? [] : [{ slug, coverage: held / wanted.length }];
    });
  };
}

function slugsIn(directory: string): readonly string[] {
  try {
    const slugs = topicSlugs(namesIn(directory));
    return slugs.length > MOST_NAMES ? [] : slugs;
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
    return [];
  }
}

/** An index may be behind: what is gone, refused or about something else by now is not named. */
async function readHeader(
  directory: string,
  { slug: name, holdsWith }: StrongMatch,
): Promise<RecalledTopic | undefined> {
  const slug = slugOfFile(`${name}.md`);
  if (slug === undefined) return undefined;
  try {
    const file = await readTopicFile(directory, slug);
    if (file === undefined) return undefined;
    const { description } = parseTopic(file.text);
    return holdsWith(description) ? { slug, description } : undefined;
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
    return undefined;
  }
}

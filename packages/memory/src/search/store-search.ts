import type { TopicSlug } from "../topic/slug.ts";
import type { StoredTopic, TopicStore } from "../topic/store.ts";
import type { TopicType } from "../topic/topic-type.ts";
import { createLivingIndex } from "./living-index.ts";
import { createMemoryFinder } from "./memory-finder.ts";
import type { MemorySearch } from "./memory-search.ts";
import { rankDocuments } from "./rank.ts";
import { bestSnippet } from "./snippet.ts";
import { storeSource } from "./store-source.ts";

/** More at once are no faster where each is a request to somewhere else. */
const READS_AT_ONCE = 16;

/** Searches the topics of any store. What was read is kept in memory; later searches read what was changed alone. */
export function createStoreSearch(store: Pick<TopicStore, "list" | "read">): MemorySearch {
  const sources = [storeSource(store)];
  const cache = createLivingIndex({ sources, readsAtOnce: READS_AT_ONCE });
  return createMemoryFinder({ cache, sources });
}

/** A topic that holds what was looked for. */
export interface SearchHit {
  readonly slug: TopicSlug;
  readonly type: TopicType | undefined;
  readonly description: string;
  readonly updatedMs: number;
  readonly snippet: string;
  readonly score: number;
}

/** Looks through every topic of a store, best first. */
export async function searchTopics(
  store: Pick<TopicStore, "list" | "read">,
  { query, limit }: { readonly query: string; readonly limit: number },
): Promise<readonly SearchHit[]> {
  const { topics } = await store.list();
  const read = await Promise.all(topics.map(({ slug }) => readUnlessRefused(store, slug)));
  const documents = read.flatMap((stored) =>
    stored === undefined
      ? []
      : {
          name: stored.slug,
          description: stored.topic.description,
          body: stored.topic.body,
          stored,
        },
  );
  return rankDocuments(documents, query)
    .slice(0, limit)
    .map(({ document: { stored }, score }) => ({
      slug: stored.slug,
      type: stored.topic.type,
      description: stored.topic.description,
      updatedMs: stored.updatedMs,
      snippet: bestSnippet(stored.topic.body, query).text,
      score: Math.round(score * 1000) / 1000,
    }));
}

/** One that cannot be read takes none of the others down; `doctor` names it. */
async function readUnlessRefused(
  store: Pick<TopicStore, "read">,
  slug: TopicSlug,
): Promise<StoredTopic | undefined> {
  try {
    return await store.read(slug);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "REFUSED_FILE")
      return undefined;
    throw error;
  }
}

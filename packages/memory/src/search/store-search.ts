import type { TopicStore, TopicSummary, UnreadableTopic } from "../store/topic-store.ts";
import { createLiveIndex } from "./live-index/live-index.ts";
import { createMemorySearch } from "./memory-search.ts";
import type { MemorySearch } from "./results.ts";
import type { SearchSource } from "./source.ts";
import { shownTopic, slugOfId, slugOfKey, topicDocument, topicKey, TOPICS } from "./topic-document.ts";

/** A store may be far away, where each read is a wait; more at once are no faster. */
const READS_AT_ONCE = 16;

/** Searches the topics of any store. What was read is kept in memory; later searches read what was changed alone. */
export function createStoreSearch(store: Pick<TopicStore, "list" | "read">): MemorySearch {
  const sources = [storeSource(store)];
  const cache = createLiveIndex({ sources, readsAtOnce: READS_AT_ONCE });
  return createMemorySearch({ index: cache, sources });
}

/** The topics of any store, for an index. */
export function storeSource(store: Pick<TopicStore, "list" | "read">): SearchSource {
  let problems: ReadonlyMap<string, string> = new Map();
  return {
    name: TOPICS,
    list: async () => {
      const list = await store.list();
      problems = new Map(list.problems.map(({ slug, message: sentence }) => [topicKey(slug), sentence]));
      return [...list.topics.map(readable), ...list.problems.map(unreadable)];
    },
    read: async ({ key }) => {
      const problem = problems.get(key);
      const nothing = { change: "replace", documents: [], memo: "" } as const;
      if (problem !== undefined) return { ...nothing, problem };
      const stored = await store.read(slugOfKey(key));
      return stored && { ...nothing, documents: [topicDocument(stored)] };
    },
    show: async (id) => {
      const slug = slugOfId(id);
      const stored = slug === undefined ? undefined : await store.read(slug);
      return stored && shownTopic(stored);
    },
  };
}

function readable({ slug, updatedMs, bytes, description }: TopicSummary): {
  readonly key: string;
  readonly sign: string;
} {
  return { key: topicKey(slug), sign: `${updatedMs}:${bytes}:${description}` };
}

function unreadable({ slug }: UnreadableTopic): { readonly key: string; readonly sign: string } {
  return { key: topicKey(slug), sign: "" };
}

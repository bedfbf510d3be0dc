import { checkArguments } from "../check-arguments.ts";
import { once } from "../store/lazy-store.ts";
import type { TopicStore, TopicSummary, UnreadableTopic } from "../store/topic-store.ts";
import type { MemorySearch } from "./results/results.ts";
import type { SearchSource, SourceEntry } from "./live-index/source.ts";
import {
  shownTopic,
  slugFromId,
  slugFromKey,
  topicDocument,
  topicKey,
  TOPICS,
} from "./live-index/topic-document.ts";

/** A store may be remote, where each read takes a round trip. More concurrent reads are not faster. */
const CONCURRENCY = 16;

/**
 * Searches the topics of any store. The search is loaded by the first use, and its index is kept in memory; later
 * searches read only changed topics.
 *
 * @example
 * import { createMapTopicStore, createStoreSearch } from "@caliban/memory";
 *
 * const search = createStoreSearch(createMapTopicStore());
 * const { topics } = await search.search({ query: "feature flags" });
 */
export function createStoreSearch(store: Pick<TopicStore, "list" | "read">): MemorySearch {
  checkArguments("createStoreSearch", store, { list: "function", read: "function" });
  const opened = once(async () => {
    const { createLiveIndex } = await import("./live-index/live-index.ts");
    const { createMemorySearch } = await import("./memory-search.ts");
    const sources = [storeSource(store)];
    const index = createLiveIndex({ sources, concurrency: CONCURRENCY });
    return createMemorySearch({ index, sources });
  });
  return { search: async (request) => await (await opened()).search(request) };
}

function storeSource(store: Pick<TopicStore, "list" | "read">): SearchSource {
  let problems: ReadonlyMap<string, string> = new Map();
  return {
    name: TOPICS,
    list: async () => {
      const list = await store.list();
      problems = new Map(list.problems.map(({ slug, message }) => [topicKey(slug), message]));
      return [...list.topics.map(toEntry), ...list.problems.map(toUnreadableEntry)];
    },
    read: async ({ key }) => {
      const problem = problems.get(key);
      const nothing = { change: "replace", documents: [], cursor: "" } as const;
      if (problem !== undefined) return { ...nothing, problem };
      const stored = await store.read(slugFromKey(key));
      return stored && { ...nothing, documents: [topicDocument(stored)] };
    },
    show: async (id) => {
      const slug = slugFromId(id);
      const stored = slug === undefined ? undefined : await store.read(slug);
      return stored && shownTopic(stored);
    },
  };
}

function toEntry({ slug, updatedMs, bytes, description }: TopicSummary): SourceEntry {
  return { key: topicKey(slug), fingerprint: `${updatedMs}:${bytes}:${description}` };
}

function toUnreadableEntry({ slug }: UnreadableTopic): SourceEntry {
  return { key: topicKey(slug), fingerprint: "" };
}

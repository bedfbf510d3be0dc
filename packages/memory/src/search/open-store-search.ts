import type { TopicStore, TopicSummary, UnreadableTopic } from "../store/topic-store.ts";
import { createEmbeddedIndex } from "./live-index/embedded-index.ts";
import { createLiveIndex } from "./live-index/live-index.ts";
import type { SearchSource, SourceEntry } from "./live-index/source.ts";
import {
  shownTopic,
  slugFromId,
  slugFromKey,
  topicDocument,
  topicKey,
  TOPICS,
} from "./live-index/topic-document.ts";
import { createMemorySearch } from "./memory-search.ts";
import type { MemorySearch } from "./results/results.ts";
import type { StoreSearchOptions } from "./store-search.ts";

/** A store may be remote, where each read takes a round trip. More concurrent reads are not faster. */
const CONCURRENCY = 16;

export function openStoreSearch(
  store: Pick<TopicStore, "list" | "read">,
  { embed }: StoreSearchOptions = {},
): MemorySearch {
  const source = storeSource(store);
  const sources = [source];
  const index =
    embed === undefined
      ? createLiveIndex({ sources, concurrency: CONCURRENCY })
      : createEmbeddedIndex({ source, embed, concurrency: CONCURRENCY });
  return createMemorySearch({ index, sources });
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

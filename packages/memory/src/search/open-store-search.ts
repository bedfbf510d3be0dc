import type {
  StoredTopic,
  TopicStore,
  TopicSummary,
  UnreadableTopic,
} from "../store/topic-store.ts";
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

/** A store may be remote, where each request takes a round trip, so many topics are read at once. */
const CONCURRENCY = 2_000;

/** What a search needs of a store. */
export type SearchedStore = Pick<TopicStore, "list" | "read"> &
  Partial<Pick<TopicStore, "readMany">>;

export function openStoreSearch(
  store: SearchedStore,
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

/** The topics of a store, for an index. */
export function storeSource(store: SearchedStore): SearchSource {
  const read = batchedReads(store);
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
      const stored = await read(slugFromKey(key));
      return stored && { ...nothing, documents: [topicDocument(stored)] };
    },
    show: async (id) => {
      const slug = slugFromId(id);
      const stored = slug === undefined ? undefined : await read(slug);
      return stored && shownTopic(stored);
    },
  };
}

type ReadStored = (name: string) => Promise<StoredTopic | undefined>;

/** Turns reads that start together into one request, if the store can. */
function batchedReads({ read, readMany }: SearchedStore): ReadStored {
  if (readMany === undefined) return read;
  let names: string[] = [];
  let reading: Promise<ReadonlyMap<string, StoredTopic>> | undefined;
  const start = async (): Promise<ReadonlyMap<string, StoredTopic>> => {
    // After everyone who starts now.
    await Promise.resolve();
    const together = names;
    [names, reading] = [[], undefined];
    return await readMany(together);
  };
  return async (name) => {
    names.push(name);
    reading ??= start();
    // A topic that cannot be read is read alone, for the reason.
    return (await reading).get(name) ?? (await read(name));
  };
}

function toEntry({ slug, hash, updatedMs, bytes, description }: TopicSummary): SourceEntry {
  return { key: topicKey(slug), fingerprint: hash ?? `${updatedMs}:${bytes}:${description}` };
}

function toUnreadableEntry({ slug }: UnreadableTopic): SourceEntry {
  return { key: topicKey(slug), fingerprint: "" };
}

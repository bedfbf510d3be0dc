import { setImmediate } from "node:timers/promises";
import type { StoredTopic, TopicList, TopicStore, TopicSummary } from "@caliban/memory";
import type { OpenTopics } from "../memory/topics/open-topics.ts";

/** Topics that many requests read. A file is read again only after it changed. */
export interface TopicCache {
  /** The same topics, read from what is known. What else the store does is as before. */
  readonly reading: (topics: OpenTopics) => OpenTopics;
  /** Something may have changed, so that the directory is looked at again. */
  readonly forget: () => void;
}

/** Of several requests, only the first looks at every file. A change that no one reported is found after this time. */
const MAX_AGE_MS = 5_000;
/** Others may have something to do. */
const READ_AT_ONCE = 200;

interface KnownTopics {
  readonly directory: string | undefined;
  /** Keeps the list of files with their times. */
  readonly store: TopicStore;
  /** A summary is another object after each change of its file. */
  readonly texts: WeakMap<TopicSummary, StoredTopic>;
}

export function createTopicCache(nowMs: () => number): TopicCache {
  let known: KnownTopics | undefined;
  let listed: { readonly atMs: number; readonly list: Promise<TopicList> } | undefined;
  const list = async ({ store }: KnownTopics): Promise<TopicList> => {
    const now = nowMs();
    if (listed === undefined || Math.abs(now - listed.atMs) > MAX_AGE_MS)
      listed = { atMs: now, list: store.list() };
    const { list: reading } = listed;
    return await reading.catch((error: unknown) => {
      listed = undefined;
      throw error;
    });
  };
  return {
    reading: (topics) => {
      const { directory, store } = topics;
      if (known === undefined || known.directory !== directory) {
        known = { directory, store, texts: new WeakMap() };
        listed = undefined;
      }
      const kept = known;
      return {
        ...topics,
        store: {
          ...store,
          list: async () => await list(kept),
          readMany: async (names) => await readMany(kept, names, await list(kept)),
        },
      };
    },
    forget: () => {
      listed = undefined;
    },
  };
}

async function readMany(
  { store, texts }: KnownTopics,
  names: readonly string[],
  { topics }: TopicList,
): Promise<ReadonlyMap<string, StoredTopic>> {
  const summaries = new Map<string, TopicSummary>(topics.map((topic) => [topic.slug, topic]));
  const wanted = names.flatMap((name) => summaries.get(name) ?? []);
  const missing = wanted.filter((summary) => !texts.has(summary));
  for (let at = 0; at < missing.length; at += READ_AT_ONCE) {
    const part = missing.slice(at, at + READ_AT_ONCE);
    const found = await store.readMany(part.map(({ slug }) => slug));
    for (const summary of part) {
      const topic = found.get(summary.slug);
      if (topic !== undefined) texts.set(summary, topic);
    }
    await setImmediate();
  }
  return new Map(
    wanted.flatMap((summary) => {
      const topic = texts.get(summary);
      return topic === undefined ? [] : [[summary.slug, topic] as const];
    }),
  );
}

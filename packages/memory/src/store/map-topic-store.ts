import { lazyTopicStore } from "./lazy-store.ts";
import type { Sha256Hex } from "../project/slug.ts";
import type { FindSecrets } from "./secrets.ts";
import type { TopicStore } from "./topic-store.ts";

export interface MapTopicStoreInput {
  readonly sha256Hex: Sha256Hex;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly findSecrets: FindSecrets;
  /** Files to begin with, by name: topics, and an index. */
  readonly files?: Readonly<Record<string, string>>;
}

/**
 * Keeps topics in memory: for tests, and for agents that have no disk. What it takes to read and write topics is
 * loaded with the first call.
 */
export function createMapTopicStore(input: MapTopicStoreInput): TopicStore {
  return lazyTopicStore(async () => {
    const { openMapStore: openMapTopics } = await import("./map-store.ts");
    return openMapTopics(input);
  });
}

import type { Sha256Hex } from "../workspace-slug.ts";
import type { FindSecrets } from "./secret-gate.ts";
import type { TopicStore } from "./store.ts";

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
  let opening: Promise<TopicStore> | undefined;
  const opened = (): Promise<TopicStore> =>
    (opening ??= import("./map-topics.ts").then(({ openMapTopics }) => openMapTopics(input)));
  return {
    list: async () => await (await opened()).list(),
    read: async (name) => await (await opened()).read(name),
    write: async (request) => await (await opened()).write(request),
    rename: async (request) => await (await opened()).rename(request),
    remove: async (request) => await (await opened()).remove(request),
    index: async () => await (await opened()).index(),
    rebuildIndex: async () => await (await opened()).rebuildIndex(),
  };
}

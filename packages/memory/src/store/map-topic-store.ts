import { checkArguments } from "../check-arguments.ts";
import type { Sha256Hex } from "../project/slug.ts";
import { lazyTopicStore } from "./lazy-store.ts";
import type { FindSecrets } from "./secrets.ts";
import type { TopicStore } from "./topic-store.ts";

export interface MapTopicStoreInput {
  /** SHA-256 of a text as hexadecimal digits; a portable implementation if left out. */
  readonly sha256Hex?: Sha256Hex | undefined;
  /** Milliseconds since 1970; the system clock if left out. */
  readonly now?: (() => number) | undefined;
  /** Our own patterns if left out. On Node, `createFsTopicStore` also runs the rules of secretlint. */
  readonly findSecrets?: FindSecrets | undefined;
  /** Files to start with, by name: topics, and an index. */
  readonly files?: Readonly<Record<string, string>> | undefined;
}

/**
 * Keeps topics in memory: for tests, and for agents without a disk. The parsers are loaded by the first call.
 *
 * @example
 * import { createMapTopicStore } from "@caliban/memory";
 *
 * const store = createMapTopicStore();
 * await store.write({
 *   name: "deploy-checklist",
 *   description: "run migrations before flipping the flag",
 *   type: "project",
 *   body: "First the migrations, then the flag.",
 *   author: { who: "agent" },
 * });
 * const topic = await store.read("deploy-checklist");
 * console.log(topic?.topic.body); // First the migrations, then the flag.
 */
export function createMapTopicStore(input: MapTopicStoreInput = {}): TopicStore {
  checkArguments("createMapTopicStore", { input }, { input: "object" });
  return lazyTopicStore(async () => {
    const { openMapStore } = await import("./map-store.ts");
    return openMapStore(input);
  });
}

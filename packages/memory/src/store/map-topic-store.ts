import { checkArguments } from "../check-arguments.ts";
import { INDEX_FILE } from "../topics/limits.ts";
import { parseTopicSlug } from "../topics/slug.ts";
import { createTopicStore, type CreateTopicStoreInput } from "./create-topic-store.ts";
import { createMapBackend } from "./map-backend.ts";
import type { TopicStore } from "./topic-store.ts";

export interface MapTopicStoreInput extends Omit<CreateTopicStoreInput, "backend"> {
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
  const { files = {}, now } = input;
  const entries = Object.fromEntries(
    Object.entries(files).map(([name, text]) => [
      name === INDEX_FILE ? name : parseTopicSlug(name.replace(/\.md$/, "")),
      text,
    ]),
  );
  return createTopicStore({ ...input, backend: createMapBackend({ now, entries }) });
}

import type { TopicStore } from "./topic-store.ts";

/** Calls `open` on first use and shares the result. After a failure, the next use tries again. */
export function once<T>(open: () => Promise<T>): () => Promise<T> {
  let opening: Promise<T> | undefined;
  return () =>
    (opening ??= open().catch((error: unknown) => {
      opening = undefined;
      throw error;
    }));
}

/**
 * A store that is opened by its first call, so that offering its tools costs nothing.
 *
 * @example
 * import { createMapTopicStore, lazyTopicStore } from "@caliban/memory";
 *
 * const store = lazyTopicStore(async () => createMapTopicStore());
 * const { topics } = await store.list(); // opens it
 */
export function lazyTopicStore(open: () => Promise<TopicStore>): TopicStore {
  const opened = once(open);
  return {
    list: async () => await (await opened()).list(),
    read: async (name) => await (await opened()).read(name),
    write: async (request) => await (await opened()).write(request),
    edit: async (request) => await (await opened()).edit(request),
    rename: async (request) => await (await opened()).rename(request),
    remove: async (request) => await (await opened()).remove(request),
    index: async () => await (await opened()).index(),
    rebuildIndex: async () => await (await opened()).rebuildIndex(),
  };
}

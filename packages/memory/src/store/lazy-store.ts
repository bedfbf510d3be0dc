import { checkArguments } from "../check-arguments.ts";
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
  checkArguments("lazyTopicStore", { open }, { open: "function" });
  const opened = once(open);
  return {
    list: async () => await (await opened()).list(),
    read: async (name) => {
      checkArguments("read", { name }, { name: "string" });
      return await (await opened()).read(name);
    },
    write: async (request) => {
      checkArguments("write", request, { ...NAMED, description: "string", body: "string" });
      return await (await opened()).write(request);
    },
    edit: async (request) => {
      checkArguments("edit", request, { ...NAMED, text: "string" });
      return await (await opened()).edit(request);
    },
    rename: async (request) => {
      checkArguments("rename", request, { from: "string", to: "string", author: "object" });
      return await (await opened()).rename(request);
    },
    remove: async (request) => {
      checkArguments("remove", request, NAMED);
      return await (await opened()).remove(request);
    },
    index: async () => await (await opened()).index(),
    rebuildIndex: async () => await (await opened()).rebuildIndex(),
  };
}

const NAMED = { name: "string", author: "object" } as const;

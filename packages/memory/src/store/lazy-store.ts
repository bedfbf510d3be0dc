import { checkArguments } from "../check-arguments.ts";
import type { Scope, TopicStore } from "./topic-store.ts";

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
export function lazyTopicStore(
  open: () => Promise<TopicStore>,
  { scope = "project" }: { readonly scope?: Scope | undefined } = {},
): TopicStore {
  checkArguments("lazyTopicStore", { open }, { open: "function" });
  const opened = once(open);
  const checked = checkFirst(opened);
  return {
    scope,
    list: async () => await (await opened()).list(),
    read: async (name) => await (await checked("read", { name })).read(name),
    readMany: async (names) => await (await checked("readMany", { names })).readMany(names),
    write: async (request) => await (await checked("write", request)).write(request),
    edit: async (request) => await (await checked("edit", request)).edit(request),
    rename: async (request) => await (await checked("rename", request)).rename(request),
    remove: async (request) => await (await checked("remove", request)).remove(request),
    index: async () => await (await opened()).index(),
    storedIndex: async () => await (await opened()).storedIndex(),
    rebuildIndex: async () => await (await opened()).rebuildIndex(),
    editIndex: async (change) => await (await checked("editIndex", { change })).editIndex(change),
    importTopics: async (request) =>
      await (await checked("importTopics", request)).importTopics(request),
    log: async (name) => await (await opened()).log(name),
    undo: async (request) => await (await checked("undo", request)).undo(request),
    erase: async (name, change) => await (await checked("erase", { name })).erase(name, change),
  };
}

const REQUIRED = {
  read: { name: "string" },
  readMany: { names: "list" },
  write: { name: "string", description: "string", body: "string", author: "object" },
  edit: { name: "string", text: "string", author: "object" },
  rename: { from: "string", to: "string", author: "object" },
  remove: { name: "string", author: "object" },
  editIndex: { change: "function" },
  importTopics: { files: "list", author: "object" },
  undo: { author: "object" },
  erase: { name: "string" },
} as const;

/** Checks the arguments of a method, then opens the store. */
function checkFirst<Store>(
  open: () => Promise<Store>,
): (method: keyof typeof REQUIRED, request: unknown) => Promise<Store> {
  return async (method, request) => {
    checkArguments(method, request, REQUIRED[method]);
    return await open();
  };
}

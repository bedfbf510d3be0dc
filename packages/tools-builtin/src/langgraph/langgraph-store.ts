import { type Author, createStoreSearch, type StoredTopic, type TopicStore } from "@caliban/memory";
import type { MemorySearch } from "@caliban/memory/search";
import { isSameItem, itemDescription, itemSlug, parseItem, renderItem } from "./item-topic.ts";
import type {
  LangGraphGet,
  LangGraphItem,
  LangGraphList,
  LangGraphOperation,
  LangGraphPut,
  LangGraphSearch,
  LangGraphSearchItem,
  LangGraphStore,
} from "./langgraph-types.ts";
import { listNamespaces, matchesFilter, startsWith } from "./match-items.ts";

export interface LangGraphStoreOptions extends Pick<Author, "agent" | "user" | "session"> {
  /** Finds items for a query; the words of the items by default. Pass `createStoreSearch(store, { embed })` for meaning. */
  readonly search?: MemorySearch | undefined;
  /** The time at which an item is created. The current time by default. */
  readonly now?: (() => number) | undefined;
}

type Topics = Pick<TopicStore, "list" | "read" | "write" | "remove">;

/**
 * Keeps the items of LangGraph's long-term memory as topics, with history, undo and the refusal of secrets. Fits wherever
 * LangGraph takes a `BaseStore`. Each item is a topic with one block of JSON, so give items a store of their own.
 *
 * @example
 * import { createMapTopicStore } from "@caliban/memory";
 * import { createLangGraphStore } from "@caliban/tools-builtin/langgraph";
 *
 * const store = createLangGraphStore(createMapTopicStore({ scope: "user" }));
 * await store.put(["users", "7"], "editor", { theme: "dark" });
 * const item = await store.get(["users", "7"], "editor");
 * console.log(item?.value); // { theme: 'dark' }
 */
export function createLangGraphStore(
  store: Topics,
  options: LangGraphStoreOptions = {},
): LangGraphStore {
  const { agent, user, session, search = createStoreSearch(store) } = options;
  // oxlint-disable-next-line no-restricted-properties -- the default of an argument
  const { now = Date.now } = options;
  const author: Author = { who: "agent", agent, user, session, origin: "agent" };

  const run = async (operation: LangGraphOperation): Promise<unknown> => {
    if ("value" in operation) return await put(store, operation, { author, now });
    if ("namespacePrefix" in operation) return await find(store, operation, search);
    if ("key" in operation) return (await readItem(store, operation))?.item ?? null;
    const items = await readItems(store);
    return listNamespaces(
      items.map(({ item }) => item.namespace),
      operation,
    );
  };
  // As in LangGraph, the reads of a batch see what was there before its writes.
  const batch = async (operations: readonly LangGraphOperation[]): Promise<unknown[]> => {
    const results = operations.map(async (each) => ("value" in each ? undefined : await run(each)));
    const read = await Promise.all(results);
    // In order, so that the last of two writes to one item wins.
    for (const each of operations) if ("value" in each) await run(each);
    return read;
  };
  const one = async <Result>(operation: LangGraphOperation): Promise<Result> => {
    const [result] = await batch([operation]);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each operation has one type of result
    return result as Result;
  };
  return {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each operation has one type of result
    batch: batch as LangGraphStore["batch"],
    get: (namespace, key) => one({ namespace, key }),
    search: (namespacePrefix, request = {}) => one({ ...request, namespacePrefix }),
    put: (namespace, key, value) => one({ namespace, key, value }),
    delete: (namespace, key) => one({ namespace, key, value: null }),
    listNamespaces: (request = {}) => one(toListOperation(request)),
    start: () => undefined,
    stop: () => undefined,
  };
}

function toListOperation(
  request: NonNullable<Parameters<LangGraphStore["listNamespaces"]>[0]>,
): LangGraphList {
  const { prefix, suffix, maxDepth, limit = 100, offset = 0 } = request;
  return {
    matchConditions: [
      ...(prefix === undefined ? [] : [{ matchType: "prefix" as const, path: prefix }]),
      ...(suffix === undefined ? [] : [{ matchType: "suffix" as const, path: suffix }]),
    ],
    ...(maxDepth === undefined ? {} : { maxDepth }),
    limit,
    offset,
  };
}

interface FoundItem {
  readonly item: LangGraphItem;
  readonly stored: StoredTopic;
}

async function readItem(store: Topics, wanted: LangGraphGet): Promise<FoundItem | undefined> {
  const stored = await store.read(itemSlug(wanted));
  if (stored === undefined) return undefined;
  const item = parseItem(stored);
  if (item !== undefined && isSameItem(item, wanted)) return { item, stored };
  const where = `${JSON.stringify(wanted.key)} in ${JSON.stringify(wanted.namespace)}`;
  throw new Error(`the topic ${stored.slug} is not the item ${where}; rename or remove the topic`);
}

/** More concurrent reads are not faster. */
const CONCURRENCY = 16;

/** Every item of the store. Topics that are not items are left alone. */
async function readItems(store: Topics): Promise<readonly FoundItem[]> {
  const { topics } = await store.list();
  const items: FoundItem[] = [];
  for (let at = 0; at < topics.length; at += CONCURRENCY) {
    const some = topics.slice(at, at + CONCURRENCY);
    const read = await Promise.all(some.map(({ slug }) => store.read(slug)));
    for (const stored of read) {
      const item = stored && parseItem(stored);
      if (stored !== undefined && item !== undefined) items.push({ item, stored });
    }
  }
  return items;
}

async function find(
  store: Topics,
  { namespacePrefix, filter, query, limit = 10, offset = 0 }: LangGraphSearch,
  search: MemorySearch,
): Promise<LangGraphSearchItem[]> {
  const all = await readItems(store);
  const matching = all.filter(
    ({ item }) => startsWith(item.namespace, namespacePrefix) && matchesFilter(item, filter),
  );
  const page = (items: readonly LangGraphSearchItem[]): LangGraphSearchItem[] =>
    items.slice(offset, offset + limit);
  if (query === undefined || query.trim() === "") return page(matching.map(({ item }) => item));
  const bySlug = new Map(matching.map(({ item, stored }) => [String(stored.slug), item]));
  // Results outside the namespace are dropped, so all are asked for.
  const found = await search.search({ query, kind: "topics", limit: Math.max(1, all.length) });
  return page(
    found.topics.flatMap(({ name, score }) => {
      const item = bySlug.get(name);
      return item === undefined ? [] : [{ ...item, score }];
    }),
  );
}

interface Writing {
  readonly author: Author;
  readonly now: () => number;
}

/** How often a write starts over because another writer was faster. */
const MAX_ATTEMPTS = 10;

async function put(
  store: Topics,
  { namespace, key, value }: LangGraphPut,
  { author, now }: Writing,
): Promise<void> {
  checkNamespace(namespace);
  const id = { namespace, key };
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const current = await readItem(store, id);
    const ifMatch = current?.stored.hash;
    if (value === null) {
      if (current === undefined) return;
      const removed = await store.remove({ name: current.stored.slug, ifMatch, author });
      if (removed.kind !== "conflict") return;
      continue;
    }
    const createdMs = current?.item.createdAt.getTime() ?? now();
    const body = renderItem({ ...id, value, created: new Date(createdMs).toISOString() });
    const description = itemDescription(id);
    const name = current?.stored.slug ?? itemSlug(id);
    const topic = { name, description, type: "reference" as const, body };
    const written = await store.write({ ...topic, ifMatch, author });
    if (written.kind === "written") return;
  }
  throw new Error(
    `${JSON.stringify(key)} was changed by others ${MAX_ATTEMPTS} times in a row; try again`,
  );
}

/** The rules of LangGraph's own stores. */
function checkNamespace(namespace: readonly string[]): void {
  const shown = JSON.stringify(namespace);
  if (namespace.length === 0) throw new Error("invalid namespace []: it is empty");
  for (const label of namespace) {
    if (typeof label !== "string" || label === "")
      throw new Error(`invalid namespace ${shown}: labels must be texts that are not empty`);
    if (label.includes("."))
      throw new Error(`invalid namespace ${shown}: labels must not contain a period`);
  }
  if (namespace[0] === "langgraph")
    throw new Error(`invalid namespace ${shown}: "langgraph" is reserved as the first label`);
}

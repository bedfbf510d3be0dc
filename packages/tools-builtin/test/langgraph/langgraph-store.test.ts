import { createMapTopicStore, type TopicStore } from "@caliban/memory";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createLangGraphStore } from "../../src/langgraph/langgraph-store.ts";
import type { LangGraphStore } from "../../src/langgraph/langgraph-types.ts";

interface Opened {
  readonly topics: TopicStore;
  readonly store: LangGraphStore;
  readonly pass: () => void;
}

function open(): Opened {
  let nowMs = Date.parse("2026-11-16T00:00:00Z");
  const now = (): number => nowMs;
  const topics = createMapTopicStore({ now, findSecrets: async () => [] });
  const store = createLangGraphStore(topics, { user: "u-7", agent: "bot", now });
  return { topics, store, pass: () => void (nowMs += 1_000) };
}

describe("createLangGraphStore", () => {
  it("returns every JSON value and every namespace exactly as they were stored", async () => {
    const label = fc.oneof(
      fc.constantFrom("a", "A", "ä", "日本", "a/b", "..", "[[x]]", "```", "\u0000"),
      fc.string({ unit: "binary", minLength: 1, maxLength: 5 }),
    );
    const labels = label.filter((text) => !text.includes("."));
    const namespaces = fc.array(labels, { minLength: 1, maxLength: 3 });
    const value = fc.dictionary(
      fc.oneof(fc.constantFrom("__proto__", "[[link]]", "```", "toString"), fc.string()),
      fc.oneof(
        fc.jsonValue(),
        fc.constantFrom("[[deploy]]", "a\r\nb\u2028\uFEFF", "\uD800", "```\n---\n# x", "[[[["),
      ),
    );
    await fc.assert(
      fc.asyncProperty(
        namespaces,
        fc.string({ maxLength: 8 }),
        value,
        async (namespace, key, stored) => {
          fc.pre(namespace[0] !== "langgraph" && !hasNegativeZero(stored));
          const { store } = open();
          await store.put(namespace, key, stored);
          const item = await store.get(namespace, key);
          expect(item?.namespace).toEqual(namespace);
          expect(item?.key).toBe(key);
          expect(JSON.stringify(item?.value)).toBe(JSON.stringify(stored));
          expect(await store.listNamespaces()).toEqual([namespace]);
        },
      ),
      { numRuns: 150 },
    );
  });

  it("keeps a value that contains a link when another topic is renamed", async () => {
    const { store, topics } = open();
    const topic = {
      description: "d",
      type: "project",
      body: "b",
      author: { who: "agent" },
    } as const;
    await topics.write({ ...topic, name: "deploy" });
    await store.put(["docs"], "a", { text: "see [[deploy]]" });
    await topics.rename({ from: "deploy", to: "ship", author: { who: "person" } });
    expect((await store.get(["docs"], "a"))?.value).toEqual({ text: "see [[deploy]]" });
  });

  it.for([
    ["undefined", { a: undefined }, "value.a is undefined"],
    ["a date", { at: { of: new Date(0) } }, "value.at.of is a Date"],
    ["a number that is not finite", { list: [1, Number.NaN] }, "value.list[1] is NaN"],
    ["a negative zero", { n: -0 }, "value.n is -0"],
    ["a function", { f: () => 1 }, "value.f is a function"],
    ["a big integer", { n: 1n }, "value.n is a bigint"],
    ["a map", { m: new Map() }, "value.m is a Map"],
    ["a hole", { list: [1, , 3] }, "value.list[1] is undefined"], // oxlint-disable-line no-sparse-arrays
  ] as const)("refuses %s, and says where it is", async ([, value, problem]) => {
    const { store, topics } = open();
    await expect(store.put(["docs"], "a", value)).rejects.toThrow(problem);
    expect((await topics.list()).topics).toEqual([]);
  });

  it("refuses a value that contains itself", async () => {
    const value: Record<string, unknown> = {};
    value["self"] = value;
    await expect(open().store.put(["docs"], "a", value)).rejects.toThrow("nested more than");
  });

  it("refuses a text that looks like a secret, as every store does", async () => {
    const store = createLangGraphStore(createMapTopicStore());
    const key = ["AK", "IAQWERTYUIOPASDFGH"].join("");
    await expect(store.put(["docs"], "a", { key })).rejects.toThrow("secret");
    await store.put(["users", "1"], "api-token", { note: "rotate it" });
    expect((await store.get(["users", "1"], "api-token"))?.value).toEqual({ note: "rotate it" });
  });

  it.for([
    [[], "it is empty"],
    [[""], "not empty"],
    [["a.b"], "period"],
    [["langgraph", "x"], "reserved"],
  ] as const)("refuses the namespace %j as LangGraph does", async ([namespace, problem]) => {
    await expect(open().store.put([...namespace], "a", {})).rejects.toThrow(problem);
  });

  it("tells namespaces apart that read the same", async () => {
    const { store } = open();
    await store.put(["a", "b"], "c", { n: 1 });
    await store.put(["a"], "b-c", { n: 2 });
    await store.put(["A", "b"], "c", { n: 3 });
    expect((await store.get(["a", "b"], "c"))?.value).toEqual({ n: 1 });
    expect((await store.get(["a"], "b-c"))?.value).toEqual({ n: 2 });
    expect((await store.get(["A", "b"], "c"))?.value).toEqual({ n: 3 });
    expect(await store.get(["a"], "c")).toBeNull();
  });

  it("refuses to show a topic in place of an item, or to overwrite it", async () => {
    const { store, topics } = open();
    await store.put(["docs"], "a", { n: 1 });
    const [listed] = (await topics.list()).topics;
    const stored = await topics.read(listed?.slug ?? "");
    const edited = stored?.text.replace('"key": "a"', '"key": "b"') ?? "";
    const edit = { name: listed?.slug ?? "", text: edited, ifMatch: stored?.hash };
    await topics.edit({ ...edit, author: { who: "person" } });
    await expect(store.get(["docs"], "a")).rejects.toThrow("is not the item");
    await expect(store.put(["docs"], "a", { n: 2 })).rejects.toThrow("is not the item");
  });

  it("keeps the time of creation, and records who made a change", async () => {
    const { store, topics, pass } = open();
    await store.put(["docs"], "a", { n: 1 });
    pass();
    await store.put(["docs"], "a", { n: 2 });
    const item = await store.get(["docs"], "a");
    expect(item?.createdAt.toISOString()).toBe("2026-11-16T00:00:00.000Z");
    expect(item?.updatedAt.toISOString()).toBe("2026-11-16T00:00:01.000Z");
    expect(await topics.log()).toMatchObject([
      { user: "u-7", agent: "bot" },
      { user: "u-7", agent: "bot" },
    ]);
  });

  it("searches below a namespace by words and by fields", async () => {
    const { store, topics } = open();
    const topic = { name: "note", description: "vim", type: "project", body: "vim" } as const;
    await topics.write({ ...topic, author: { who: "person" } });
    await store.put(["users", "1"], "a", { text: "uses vim", age: 3 });
    await store.put(["users", "1", "x"], "b", { text: "likes tea", age: 5 });
    await store.put(["users", "12"], "c", { text: "uses vim too", age: 7 });
    const keys = async (...request: Parameters<LangGraphStore["search"]>): Promise<string[]> =>
      (await store.search(...request)).map(({ key }) => key).toSorted();
    expect(await keys(["users", "1"])).toEqual(["a", "b"]);
    expect(await keys([], { query: "vim" })).toEqual(["a", "c"]);
    expect(await keys(["users", "1"], { query: "vim" })).toEqual(["a"]);
    expect(await keys([], { filter: { age: { $gte: 5 } } })).toEqual(["b", "c"]);
    expect(await keys([], { filter: { age: 3, text: "uses vim" } })).toEqual(["a"]);
    expect(await keys([], { limit: 1, offset: 1 })).toHaveLength(1);
    await expect(keys([], { filter: { age: { $near: 5 } } })).rejects.toThrow(
      "unknown operator $near",
    );
  });

  it("lists namespaces by prefix, suffix and depth", async () => {
    const { store } = open();
    for (const namespace of [
      ["a", "x"],
      ["a", "y"],
      ["b", "x"],
    ])
      await store.put(namespace, "k", {});
    expect(await store.listNamespaces({ prefix: ["a"] })).toEqual([
      ["a", "x"],
      ["a", "y"],
    ]);
    expect(await store.listNamespaces({ suffix: ["x"] })).toEqual([
      ["a", "x"],
      ["b", "x"],
    ]);
    expect(await store.listNamespaces({ prefix: ["*", "y"] })).toEqual([["a", "y"]]);
    expect(await store.listNamespaces({ maxDepth: 1 })).toEqual([["a"], ["b"]]);
    expect(await store.listNamespaces({ limit: 1, offset: 1 })).toEqual([["a", "y"]]);
  });

  it("runs the reads of a batch before its writes, and the last write to an item wins", async () => {
    const { store } = open();
    const id = { namespace: ["docs"], key: "a" };
    const [before] = await store.batch([
      id,
      { ...id, value: { n: 1 } },
      { ...id, value: { n: 2 } },
    ]);
    expect(before).toBeNull();
    expect((await store.get(["docs"], "a"))?.value).toEqual({ n: 2 });
    await store.delete(["docs"], "a");
    await store.delete(["docs"], "a");
    expect(await store.get(["docs"], "a")).toBeNull();
  });

  it("loses no write of two at the same time", async () => {
    const { topics } = open();
    const stores = [createLangGraphStore(topics), createLangGraphStore(topics)];
    await Promise.all(
      stores.map(async (store, at) => await store.put(["docs"], "same", { from: at })),
    );
    expect(await topics.log()).toHaveLength(2);
  });
});

function hasNegativeZero(value: unknown): boolean {
  if (Object.is(value, -0)) return true;
  return typeof value === "object" && value !== null && Object.values(value).some(hasNegativeZero);
}

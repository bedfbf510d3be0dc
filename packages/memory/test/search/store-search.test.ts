import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { MemoryError } from "../../src/errors.ts";
import { createStoreSearch } from "../../src/search/store-search.ts";
import { createTopicStore } from "../../src/store/create-topic-store.ts";
import { createMapBackend } from "../../src/store/map-backend.ts";
import { createMapTopicStore } from "../../src/store/map-topic-store.ts";
import type { TopicStore } from "../../src/store/topic-store.ts";

interface CountedStore extends TopicStore {
  readonly reads: string[];
}

function mapStore(files: Readonly<Record<string, string>> = {}): CountedStore {
  let nowMs = 1_000;
  const store = createMapTopicStore({
    files,
    findSecrets: async () => [],
    now: () => (nowMs += 1_000),
    sha256Hex: (text) => createHash("sha256").update(text).digest("hex"),
  });
  const reads: string[] = [];
  const read: TopicStore["read"] = async (name) => {
    reads.push(name);
    return await store.read(name);
  };
  const readMany: TopicStore["readMany"] = async (names) => {
    reads.push(...names);
    return await store.readMany(names);
  };
  return { ...store, read, readMany, reads };
}

async function write(store: TopicStore, name: string, body: string): Promise<void> {
  const author = { who: "person" } as const;
  const written = { name, description: `of ${name}`, type: "project", body, author } as const;
  expect(await store.write({ ...written, replace: true })).toMatchObject({ kind: "written" });
}

describe("createStoreSearch", () => {
  it("finds topics by their bodies and shows them", async () => {
    const store = mapStore();
    await write(store, "kitchen", "The oven is on the left.");
    await write(store, "cellar", "Wine.");
    const { topics, searched } = await createStoreSearch(store).search({ query: "ovens" });
    expect(topics).toMatchObject([
      {
        name: "kitchen",
        address: "memory://topics/kitchen",
        type: "project",
        description: "of kitchen",
        snippet: { text: "The oven is on the left.", marks: [[4, 8]] },
      },
    ]);
    expect(searched.topics).toBe(2);
  });

  it("reads only changed topics again and drops removed ones", async () => {
    const store = mapStore();
    for (const name of ["one", "two", "three"]) await write(store, name, "oven");
    const memory = createStoreSearch(store);
    const names = async (): Promise<readonly string[]> =>
      (await memory.search({ query: "oven" })).topics.map(({ name }) => name).toSorted();
    expect(await names()).toEqual(["one", "three", "two"]);
    await write(store, "two", "sink");
    await store.remove({ name: "three", author: { who: "person" } });
    store.reads.length = 0;
    expect(await names()).toEqual(["one"]);
    // Once for the index, and once to show the result.
    expect(store.reads).toEqual(["two", "one"]);
  });

  it("asks a backend with 10,000 topics at most 20 times", async () => {
    const text = "---\ndescription: x\nmetadata:\n  type: project\n---\n\noven\n";
    const names = Array.from({ length: 10_000 }, (_, number) => `topic-${number}`);
    const backend = createMapBackend({
      entries: Object.fromEntries(names.map((name) => [name, text])),
    });
    let requests = 0;
    const store = createTopicStore({
      backend: {
        ...backend,
        list: async (request) => {
          requests++;
          return await backend.list(request);
        },
        read: async (wanted) => {
          requests++;
          return await backend.read(wanted);
        },
      },
    });
    const { searched } = await createStoreSearch(store).search({ query: "oven" });
    expect(searched.topics).toBe(10_000);
    expect(requests).toBeLessThanOrEqual(20);
  });

  it("reports unreadable topics and finds the others", async () => {
    const store = mapStore();
    await write(store, "good", "oven");
    await write(store, "bad", "oven");
    const message = "cannot read bad.md: it is a directory";
    const problem = createStoreSearch({
      ...store,
      list: async () => {
        const { topics } = await store.list();
        const [bad] = topics.filter(({ slug }) => slug === "bad").map(({ slug }) => slug);
        return {
          topics: topics.filter(({ slug }) => slug !== bad),
          problems: bad === undefined ? [] : [{ code: "UNREADABLE" as const, slug: bad, message }],
        };
      },
    });
    const refused = createStoreSearch({
      ...store,
      read: async (name) => {
        if (name === "bad") throw new MemoryError("REFUSED_FILE", message);
        return await store.read(name);
      },
      readMany: async (names) => await store.readMany(names.filter((name) => name !== "bad")),
    });
    for (const memory of [problem, refused]) {
      const { topics, notes } = await memory.search({ query: "oven" });
      expect(topics.map(({ name }) => name)).toEqual(["good"]);
      expect(notes.join()).toContain(message);
    }
  });

  it("finds topics whose names contain the end marker of a key", async () => {
    const text = "---\ndescription: x\n---\n\noven\n";
    const store = mapStore({ "a.md": text, "a#b.md": text, "50%23.md": text });
    const memory = createStoreSearch(store);
    const { topics } = await memory.search({ query: "oven" });
    expect(topics.map(({ name }) => name).toSorted()).toEqual(["50%23", "a", "a#b"]);
    await store.remove({ name: "a", author: { who: "person" } });
    expect((await memory.search({ query: "oven" })).topics).toHaveLength(2);
  });
});

describe("createStoreSearch with embed", () => {
  const kite = { description: "wind toy", type: "project", author: { who: "agent" } } as const;
  const meaning = (text: string): readonly number[] => [
    Number(/kite|glider/i.test(text)),
    Number(/oven|bread/i.test(text)),
  ];
  const embed = async (texts: readonly string[]): Promise<readonly (readonly number[])[]> =>
    texts.map(meaning);

  it("finds a topic by meaning, also one that was written later", async () => {
    const store = createMapTopicStore();
    await store.write({ ...kite, name: "kites", body: "A kite." });
    const search = createStoreSearch(store, { embed });
    const found = async (query: string): Promise<readonly string[]> =>
      (await search.search({ query })).topics.map(({ name }) => name);
    expect(await found("glider")).toEqual(["kites"]);
    await store.write({ ...kite, name: "baking", description: "heat", body: "An oven." });
    expect(await found("bread")).toEqual(["baking"]);
    await store.remove({ name: "kites", author: { who: "agent" } });
    expect(await found("glider")).toEqual([]);
  });

  it("embeds topics in batches, and each of them once", async () => {
    const files = Object.fromEntries(
      Array.from({ length: 70 }, (_, at) => [`t-${at}.md`, `Topic ${at}.`]),
    );
    const calls: number[] = [];
    const counted: typeof embed = async (texts) => {
      calls.push(texts.length);
      return await embed(texts);
    };
    const search = createStoreSearch(createMapTopicStore({ files }), { embed: counted });
    await search.search({ query: "topic" });
    await search.search({ query: "topic" });
    expect(calls).toEqual([32, 32, 6, 1, 1]);
  });

  it("searches by words while the model fails, says so, and tries again", async () => {
    const store = createMapTopicStore();
    await store.write({ ...kite, name: "kites", body: "A kite." });
    let isDown = true;
    const search = createStoreSearch(store, {
      embed: async (texts) => {
        if (isDown) throw new Error("no connection");
        return await embed(texts);
      },
    });
    const down = await search.search({ query: "kite" });
    expect(down.topics).toHaveLength(1);
    expect(down.notes.join(" ")).toMatch(
      /Searched by words only, because embedding failed: .*no connection/,
    );
    isDown = false;
    const up = await search.search({ query: "glider" });
    expect(up.topics).toHaveLength(1);
    expect(up.notes).toEqual([]);
  });
});

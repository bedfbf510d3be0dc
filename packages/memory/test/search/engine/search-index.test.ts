import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createSearchIndex, type SearchIndex } from "../../../src/search/engine/search-index.ts";
import type { SearchDocument } from "../../../src/search/engine/document.ts";
import type { SearchOptions } from "../../../src/search/engine/search-result.ts";

const FULL = process.env["FULL"] === "1";

const ids = (index: SearchIndex, query: string, options?: SearchOptions): readonly string[] => {
  const { topics, turns } = index.search(query, options);
  return [...topics, ...turns].map(({ id }) => id).toSorted();
};

/** The results of an index, independent of document numbers. */
function answers(index: SearchIndex): unknown {
  const rounded = (score: number): number => Math.round(score * 1e9);
  return ["kite", "pond kite", "red", "the"].map((query) => {
    const { topics, turns, sessions } = index.search(query, { limit: 100 });
    const listed = [
      ...topics.map(({ id, score, coverage }) => `${id} ${rounded(score)} ${rounded(coverage)}`),
      ...turns.map(
        ({ id, score, previous, next }) => `${id} ${rounded(score)} ${previous} ${next}`,
      ),
      ...sessions.map(({ session, score }) => `${session} ${rounded(score)}`),
    ];
    return listed.toSorted();
  });
}

const anyDocument: fc.Arbitrary<SearchDocument> = fc
  .record({
    id: fc.constantFrom("a", "ab", "b", "c#1", "c#2", "d"),
    kind: fc.constantFrom("topic", "turn", "session"),
    name: fc.constantFrom("kite", "the red", undefined),
    body: fc.constantFrom("kite", "pond kite", "red red red", "", undefined),
    session: fc.constantFrom("s", "r"),
    turn: fc.nat({ max: 3 }),
    vector: fc.constantFrom(undefined, [1, 0], [0, 1]),
  })
  // Two turns with the same number have no order: an index may return either first.
  .map((document) =>
    Object.assign(document, {
      turn: document.turn * 200 + document.id.charCodeAt(document.id.length - 1),
    }),
  );

/** Enough documents that a few removed ones do not trigger a compaction. */
const standing: readonly SearchDocument[] = [
  "a",
  "ab",
  "b",
  "c#1",
  "c#2",
  "d",
  ...Array.from({ length: 40 }, (_, at) => `z${at}`),
].map((id, at) => ({
  id,
  kind: at % 2 === 0 ? "topic" : "turn",
  body: ["kite", "pond kite", "red red", "moon"][at % 4],
  session: at % 3 === 0 ? "s" : `q${at % 5}`,
  turn: 10_000 + at,
}));

type Step =
  | { readonly kind: "add"; readonly documents: readonly SearchDocument[] }
  | { readonly kind: "remove"; readonly ids: readonly string[] }
  | { readonly kind: "removeStartingWith"; readonly prefixes: readonly string[] }
  | { readonly kind: "reload" };

const anyStep: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constant("add" as const),
    documents: fc.array(anyDocument, { maxLength: 4 }),
  }),
  fc.record({
    kind: fc.constant("remove" as const),
    ids: fc.array(fc.constantFrom("a", "b", "c#1", "none"), { maxLength: 2 }),
  }),
  fc.record({
    kind: fc.constant("removeStartingWith" as const),
    prefixes: fc.array(fc.constantFrom("a", "c#", "c", "x"), { maxLength: 2 }),
  }),
  fc.record({ kind: fc.constant("reload" as const) }),
);

describe("a changing index", () => {
  it("answers like an index built at once from the same documents", () => {
    fc.assert(
      fc.property(fc.array(anyStep, { maxLength: 8 }), fc.boolean(), (steps, isEmpty) => {
        const before = isEmpty ? [] : standing;
        let index = createSearchIndex(before);
        const there = new Map(before.map((document) => [document.id, document]));
        const forget = (matches: (id: string) => boolean): number => {
          const meant = [...there.keys()].filter(matches);
          for (const id of meant) there.delete(id);
          return meant.length;
        };
        const counts: (readonly [given: number, expected: number])[] = [];
        for (const step of steps) {
          if (step.kind === "add") {
            index.add(step.documents);
            for (const document of step.documents) there.set(document.id, document);
          } else if (step.kind === "remove") {
            counts.push([index.remove(step.ids), forget((id) => step.ids.includes(id))]);
          } else if (step.kind === "removeStartingWith") {
            const { prefixes } = step;
            const count = forget((id) => prefixes.some((prefix) => id.startsWith(prefix)));
            counts.push([index.removeStartingWith(prefixes), count]);
          } else {
            const bytes = index.save();
            index = createSearchIndex();
            index.load(bytes);
          }
        }
        expect(counts.map(([given]) => given)).toEqual(counts.map(([, expected]) => expected));
        expect(index.size()).toBe(there.size);
        expect(answers(index)).toEqual(answers(createSearchIndex(there.values())));
      }),
      { numRuns: FULL ? 600 : 150 },
    );
  });

  it("stays correct when thousands of documents are added one by one", () => {
    const index = createSearchIndex();
    for (let at = 0; at < 3_000; at++)
      index.add([{ id: `${at % 1_000}`, body: `kite ${10_000 + at}` }]);
    expect(index.size()).toBe(1_000);
    expect(ids(index, "10999")).toEqual([]);
    expect(ids(index, "12999", { limit: 1 })).toEqual(["999"]);
    expect(index.search("kite", { limit: Infinity }).topics).toHaveLength(1_000);
  });

  it("keeps the last of several documents with the same id, whatever their kind", () => {
    const index = createSearchIndex([
      { id: "x", body: "kite" },
      { id: "x", body: "pond" },
    ]);
    expect([ids(index, "kite"), ids(index, "pond"), index.size()]).toEqual([[], ["x"], 1]);
    index.add([{ id: "x", kind: "turn", session: "s", body: "kite" }]);
    expect([ids(index, "kite"), ids(index, "pond"), index.size()]).toEqual([["x"], [], 1]);
  });

  it("normalizes ids with lone surrogates", () => {
    const index = createSearchIndex([
      { id: "x\uD800", body: "kite" },
      { id: "x\uDC00", body: "kite" },
    ]);
    index.add([{ id: "x\uD800", body: "pond" }]);
    expect([ids(index, "kite"), ids(index, "pond"), index.size()]).toEqual([[], ["x\uFFFD"], 1]);
    expect([index.remove(["x\uD800"]), index.size()]).toEqual([1, 0]);
  });

  it("finds nothing after everything was removed", () => {
    const index = createSearchIndex([{ id: "a", body: "kite" }]);
    expect(index.removeStartingWith([""])).toBe(1);
    expect(index.removeStartingWith([])).toBe(0);
    expect([index.size(), ids(index, "kite")]).toEqual([0, []]);
  });
});

describe("filters", () => {
  const index = createSearchIndex([
    { id: "old", body: "kite", type: "user", updatedMs: 1_000 },
    { id: "new", body: "kite", type: "project", updatedMs: 2_000 },
    { id: "timeless", body: "kite" },
    { id: "section", kind: "section", body: "kite" },
    { id: "turn", kind: "turn", session: "s", body: "kite", updatedMs: 2_000 },
  ]);
  index.add([{ id: "later", body: "kite", type: "user", updatedMs: 3_000 }]);

  it.for<readonly [options: SearchOptions, found: readonly string[]]>([
    [{}, ["later", "new", "old", "section", "timeless", "turn"]],
    [{ kind: "topics" }, ["later", "new", "old", "section", "timeless"]],
    [{ kind: "sessions" }, ["turn"]],
    [{ type: "user" }, ["later", "old"]],
    [{ type: "none" }, []],
    [{ sinceMs: 2_000 }, ["later", "new", "turn"]],
    [{ sinceMs: 2_001 }, ["later"]],
    [{ sinceMs: 2_000, type: "user" }, ["later"]],
    [{ sinceMs: Number.NaN }, ["later", "new", "old", "section", "timeless", "turn"]],
    [{ sinceMs: -Infinity }, ["later", "new", "old", "section", "timeless", "turn"]],
    [{ limit: 0 }, []],
    [{ limit: -3 }, []],
    [{ limit: Infinity }, ["later", "new", "old", "section", "timeless", "turn"]],
    [{ limit: 1e9 }, ["later", "new", "old", "section", "timeless", "turn"]],
  ])("filters by %j", ([options, found]) => {
    expect(ids(index, "kite", options)).toEqual(found);
  });

  it("returns kind, type and time of a result, and filters by them", () => {
    const { topics } = index.search("kite");
    expect(topics.find(({ id }) => id === "old")).toMatchObject({
      kind: "topic",
      type: "user",
      updatedMs: 1_000,
    });
    expect(topics.find(({ id }) => id === "section")).toMatchObject({
      kind: "section",
      type: undefined,
      updatedMs: undefined,
    });
  });

  it("excludes sessions without a turn that passes the filters", () => {
    expect(index.search("kite", { sinceMs: 2_500 }).sessions).toEqual([]);
  });
});

describe("stop words", () => {
  const index = createSearchIndex([
    { id: "name", name: "the who" },
    { id: "description", description: "what the who was about" },
    { id: "tags", tags: "who" },
    { id: "body", body: "who was it? the who.", headings: "the who" },
    { id: "turn", kind: "turn", session: "s", body: "who is it" },
  ]);

  it("searches for stop words in names, descriptions and tags if the query has no other words", () => {
    expect(ids(index, "the who")).toEqual(["description", "name", "tags"]);
    expect(index.search("the who").hasOnlyStopWords).toBe(true);
  });

  it("ignores stop words next to other words", () => {
    expect(ids(index, "the who kite")).toEqual([]);
    expect(index.search("the who kite").terms).toEqual(["kite"]);
  });
});

describe("unusual input", () => {
  const big = createSearchIndex(
    Array.from({ length: 10_000 }, (_, at) => ({
      id: `${at}`,
      name: `topic ${at}`,
      body: `kite pond moon w${at % 100} v${at % 7} and some words around them that come again`,
    })),
  );

  it.for<readonly [name: string, query: string]>([
    ["a megabyte of words", "kite pond ".repeat(100_000)],
    ["a megabyte of one word", "k".repeat(1_000_000)],
    ["a hundred thousand terms", Array.from({ length: 100_000 }, (_, at) => `w${at}`).join(" ")],
    ["expressions", ".*(a+)+$ [^x]{1,9} \\p{L} kite|pond"],
    ["statements", "'; DROP TABLE kite; -- \" OR 1=1 NEAR(pond) MATCH *"],
    ["NUL and halves of characters", "kite\0\ud800 \udc00pond\ufffe"],
    ["marks without end", `kite${"\u0301".repeat(100_000)}`],
    ["signs that grow when they are folded", "\ufdfa".repeat(100_000)],
    ["names of every object", "__proto__ constructor toString hasOwnProperty"],
  ])("answers an unusual query: %s", ([, query]) => {
    const { topics } = big.search(query);
    expect(topics.length).toBeLessThanOrEqual(8);
  });

  it("accepts any values in a document", () => {
    const hostile: readonly SearchDocument[] = [
      { id: "", body: "kite" },
      { id: "__proto__", name: "__proto__", body: "kite", type: "__proto__" },
      { id: "constructor", body: "kite", session: "constructor" },
      { id: "half\ud800", body: "kite", type: "half\ud800" },
      { id: "times", body: "kite", updatedMs: Number.NaN, turn: Infinity },
      { id: "nothing" },
      { id: "empty", name: "", description: "", body: "", vector: [] },
      { id: "vector", body: "kite", vector: [1, 2] },
      { id: "wider", body: "kite", vector: [1, 2, 3] },
      { id: "turn", kind: "turn", body: "kite", turn: Number.NaN },
      { id: "turn2", kind: "turn", body: "kite", turn: -Infinity, updatedMs: Infinity },
    ];
    const index = createSearchIndex(hostile);
    expect(index.size()).toBe(hostile.length);
    expect(ids(index, "kite", { limit: 20 })).toEqual([
      "",
      "__proto__",
      "constructor",
      "half\ufffd",
      "times",
      "turn",
      "turn2",
      "vector",
      "wider",
    ]);
    expect(ids(index, "kite", { type: "__proto__" })).toEqual(["__proto__"]);
    expect(ids(index, "kite", { type: "half\ud800" })).toEqual(["half\ufffd"]);
    const times = index.search("kite", { limit: 20 }).topics.find(({ id }) => id === "times");
    expect(times?.updatedMs).toBeUndefined();
    expect(index.remove(["", "__proto__", "half\ud800", "none"])).toBe(3);
    const again = createSearchIndex();
    again.load(index.save());
    expect(answers(again)).toEqual(answers(index));
  });

  it("indexes ten megabytes of text in one document", () => {
    const body = `${"kite pond ".repeat(1_000_000)}moon`;
    const index = createSearchIndex([
      { id: "long", body },
      { id: "word", body: `${"x".repeat(1_000_000)} kite` },
    ]);
    expect(ids(index, "moon")).toEqual(["long"]);
    expect(ids(index, "kite")).toEqual(["long", "word"]);
  });

  it("indexes tens of thousands of distinct words", () => {
    const words = Array.from({ length: 20_000 }, (_, at) => `${at.toString(36)}q`);
    const index = createSearchIndex([
      { id: "one", body: words.join(" ") },
      { id: "two", body: "rareword" },
    ]);
    for (const word of ["0q", "fekq", "zzq"]) expect(ids(index, word)).toEqual(["one"]);
    expect(ids(index, "rareword")).toEqual(["two"]);
  });
});

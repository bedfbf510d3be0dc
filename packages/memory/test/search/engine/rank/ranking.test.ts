import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createSearchIndex } from "../../../../src/search/engine/search-index.ts";
import { naiveTopics, naiveTurns } from "../naive-ranking.ts";

const text = fc
  .array(fc.constantFrom("red", "blue", "kite", "pond"), { maxLength: 4 })
  .map((words) => words.join(" "));
const query = fc
  .array(fc.constantFrom("red", "blue", "kite", "moon"), { minLength: 1, maxLength: 3 })
  .map((words) => words.join(" "));

/** Names with their scores, rounded to absorb floating-point errors. */
function listed(scores: Iterable<readonly [name: string, score: number]>): readonly string[] {
  return Array.from(scores, ([name, score]) => `${name} ${score.toFixed(9)}`).toSorted();
}

function areBestFirst(found: readonly { readonly score: number }[]): boolean {
  return found.every(({ score }, at) => at === 0 || score <= (found[at - 1]?.score ?? 0));
}

describe("standalone documents", () => {
  it("scores documents with BM25F", () => {
    const document = fc.record({
      name: text,
      description: text,
      headings: text,
      tags: text,
      body: text,
    });
    fc.assert(
      fc.property(fc.array(document, { maxLength: 5 }), query, (all, asked) => {
        const documents = all.map((each, at) => ({ ...each, id: `${at}` }));
        const { topics } = createSearchIndex(documents).search(asked);
        expect(listed(topics.map(({ id, score }) => [id, score]))).toEqual(
          listed(naiveTopics(documents, asked)),
        );
        expect(areBestFirst(topics)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it("reports how much of the query a document contains, weighted by rarity", () => {
    const index = createSearchIndex([
      { id: "all", body: "kite pond" },
      { id: "rare", body: "kite" },
      { id: "common", body: "pond" },
      { id: "other", body: "pond" },
    ]);
    const coverage = (asked: string): Record<string, number> =>
      Object.fromEntries(index.search(asked).topics.map((hit) => [hit.id, hit.coverage]));
    const { all = 0, rare = 0, common = 0 } = coverage("kite pond pond");
    expect(all).toBe(1);
    expect(rare + common).toBeCloseTo(1, 9);
    expect(rare).toBeGreaterThan(common);
    expect(coverage("kite moon")["rare"]).toBeLessThan(0.5);
    expect(coverage("moon")).toEqual({});
  });
});

describe("turns", () => {
  it("scores a turn by its own words, its neighbors and its session", () => {
    const turn = fc.record({ session: fc.constantFrom("a", "b", "c"), body: text, facts: text });
    fc.assert(
      fc.property(fc.array(turn, { maxLength: 9 }), query, (all, asked) => {
        const documents = all.map((each, at) => ({
          ...each,
          id: `${at}`,
          kind: "turn" as const,
          turn: at,
        }));
        const { turns, sessions } = createSearchIndex(documents).search(asked, { limit: 20 });
        const expected = naiveTurns(documents, asked);
        expect(listed(turns.map(({ id, score }) => [id, score]))).toEqual(listed(expected.turns));
        expect(areBestFirst(turns)).toBe(true);
        expect(listed(sessions.map(({ session, score }) => [session, score]))).toEqual(
          listed(expected.sessions),
        );
        expect(areBestFirst(sessions)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it("links turns by their numbers in any order of arrival, and returns their neighbors", () => {
    const index = createSearchIndex();
    for (const at of [2, 0, 3, 1])
      index.add([
        { id: `t${at}`, kind: "turn", session: "s", turn: at, body: at === 1 ? "kite" : "pond" },
      ]);
    expect(index.search("kite").turns).toMatchObject([
      { id: "t1", session: "s", turn: 1, previous: "t0", next: "t2" },
      { id: "t2", previous: "t1", next: "t3" },
      { id: "t3", previous: "t2", next: undefined },
      { id: "t0", previous: undefined, next: "t1" },
    ]);
  });

  it("links turns that were added after a search", () => {
    const index = createSearchIndex([
      { id: "t0", kind: "turn", session: "s", turn: 0, body: "kite" },
    ]);
    expect(index.search("kite").turns).toMatchObject([{ id: "t0", next: undefined }]);
    index.add([{ id: "t1", kind: "turn", session: "s", turn: 1, body: "pond" }]);
    expect(index.search("kite").turns).toMatchObject([
      { id: "t0", next: "t1" },
      { id: "t1", previous: "t0" },
    ]);
    index.remove(["t0"]);
    expect(index.search("pond").turns).toMatchObject([{ id: "t1", previous: undefined }]);
  });

  it("returns the same results for a repeated search, whatever came between", () => {
    const bodies = ["red", "kite", "pond", "blue kite", "red"];
    const documents = bodies.map((body, at) => ({
      id: `t${at}`,
      kind: "turn" as const,
      session: at < 3 ? "a" : "b",
      turn: at,
      body,
    }));
    const used = createSearchIndex(documents);
    for (const asked of ["kite", "pond", "kite", "red kite", "moon", "pond", "blue"])
      expect(used.search(asked)).toEqual(createSearchIndex(documents).search(asked));
  });

  it("uses the summary of a session for ranking but does not return it as a turn", () => {
    const index = createSearchIndex([
      { id: "a0", kind: "turn", session: "a", turn: 0, body: "kite" },
      { id: "b0", kind: "turn", session: "b", turn: 0, body: "kite" },
      { id: "b", kind: "session", session: "b", body: "kite kite pond" },
    ]);
    expect(index.search("kite pond").turns.map(({ id }) => id)).toEqual(["b0", "a0"]);
    expect(index.search("kite pond").sessions.map(({ session }) => session)).toEqual(["b", "a"]);
  });

  it("finds turns by the facts learned from them in addition to their words", () => {
    const index = createSearchIndex([
      { id: "t", kind: "turn", session: "s", body: "let us do that", facts: "prefers pnpm" },
    ]);
    expect(index.search("pnpm").turns.map(({ id }) => id)).toEqual(["t"]);
  });
});

describe("vectors", () => {
  const index = createSearchIndex([
    { id: "words", body: "kite", vector: [0, 1] },
    { id: "meaning", body: "pond", vector: [2, 0] },
    { id: "none", body: "moon" },
    { id: "wider", body: "moon", vector: [1, 0, 0] },
    { id: "broken", body: "moon", vector: [Number.NaN, 1] },
  ]);

  it("adds the cosine to the relative score and finds documents without any of the words", () => {
    const { topics } = index.search("kite", { vector: [3, 4] });
    expect(topics.map(({ id }) => id)).toEqual(["words", "meaning"]);
    expect(topics[0]?.score).toBeCloseTo(1 + 0.8, 6);
    expect(topics[1]?.score).toBeCloseTo(0.6, 6);
  });

  it("ignores vectors of another dimension, of zero length or with invalid numbers", () => {
    const plain = index.search("kite").topics.map(({ id }) => id);
    for (const vector of [[1], [0, 0], [Number.NaN, 1], [Infinity, 0], []])
      expect(index.search("kite", { vector }).topics.map(({ id }) => id)).toEqual(plain);
  });

  it("ignores vectors of another dimension that are added later", () => {
    const growing = createSearchIndex([{ id: "a", body: "kite", vector: [0, 1] }]);
    growing.add([{ id: "wider", body: "moon", vector: [1, 0, 0] }]);
    expect(growing.search("kite", { vector: [1, 0] }).topics.map(({ id }) => id)).toEqual(["a"]);
  });

  it("applies the filters to results by vector", () => {
    expect(index.search("moon", { vector: [1, 0], type: "other" }).topics).toEqual([]);
    expect(index.search("moon", { vector: [1, 0], limit: 1 }).topics).toHaveLength(1);
  });
});

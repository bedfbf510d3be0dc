import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { SearchDocument } from "../../../../src/search/engine/document.ts";
import { createSearchIndex } from "../../../../src/search/engine/search-index.ts";

const anyDocument = fc.record({
  kind: fc.constantFrom("topic" as const, "turn" as const),
  name: fc.constantFrom("kite", undefined),
  body: fc.constantFrom("red kite", "blue kite now", "pond", "red red", ""),
  session: fc.constantFrom("a", "b"),
  updatedMs: fc.constantFrom(undefined, 0, 1e9),
  vector: fc.constantFrom(undefined, [1, 0], [0, 1]),
});

const anyOptions = fc.record({
  why: fc.constant(true),
  vector: fc.constantFrom(undefined, [1, 1]),
});

describe("the parts of a score", () => {
  it("add up to the score", () => {
    fc.assert(
      fc.property(
        fc.array(anyDocument, { maxLength: 8 }),
        fc.constantFrom("kite", "red kite", "blue pond kite", "before kite"),
        anyOptions,
        (some, query, options) => {
          const documents = some.map((document, at): SearchDocument =>
            Object.assign(document, { id: `${at}`, turn: at }),
          );
          const { topics, turns } = createSearchIndex(documents).search(query, options);
          for (const { score, why = [] } of [...topics, ...turns]) {
            expect(why.reduce((sum, part) => sum + part.score, 0)).toBeCloseTo(score, 6);
            expect(why.every((part) => part.score > -1e-6)).toBe(true);
          }
        },
      ),
      { numRuns: 500 },
    );
  });

  it("name the words, the neighbors, the session and the time", () => {
    const turn = (id: string, body: string, more: Partial<SearchDocument>): SearchDocument => ({
      id,
      kind: "turn",
      body,
      ...more,
    });
    const index = createSearchIndex([
      turn("a0", "the kite is red", { session: "a", turn: 0, updatedMs: 0 }),
      turn("a1", "a red kite then", { session: "a", turn: 1, updatedMs: 1 }),
      turn("b0", "the kite is not red but blue now", { session: "b", turn: 0, updatedMs: 1e9 }),
    ]);
    const [first, second] = index.search("red kite", { why: true }).turns;
    expect(first?.id).toBe("b0");
    expect(first?.why?.map(({ part }) => part)).toEqual(["term", "term", "session", "time"]);
    expect(second?.why?.map(({ part }) => part)).toEqual(["term", "term", "neighbors", "session"]);
    expect(first?.why?.[0]).toMatchObject({ part: "term", term: "red" });
  });

  it("appear only if they are asked for", () => {
    const index = createSearchIndex([
      { id: "topic", body: "kite" },
      { id: "turn", kind: "turn", session: "s", body: "kite" },
    ]);
    const { topics, turns } = index.search("kite");
    expect([...topics, ...turns].map((hit) => "why" in hit)).toEqual([false, false]);
  });
});

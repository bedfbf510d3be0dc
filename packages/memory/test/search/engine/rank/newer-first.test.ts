import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { newerFirst } from "../../../../src/search/engine/rank/newer-first.ts";

const MAX_LIFT = 0.3;

interface Hit {
  readonly score: number;
  readonly time: number | undefined;
  readonly subject: number;
}

function ranked(hits: readonly Hit[]): readonly { readonly document: number; score: number }[] {
  const byScore = hits
    .map(({ score }, document) => ({ document, score }))
    .toSorted((one, other) => other.score - one.score);
  return newerFirst(byScore, {
    timeOf: (document) => hits[document]?.time,
    isSameSubject: (newer, older) => hits[newer]?.subject === hits[older]?.subject,
    minGapMs: () => 2,
    maxLift: () => MAX_LIFT,
  });
}

const anyHit: fc.Arbitrary<Hit> = fc.record({
  score: fc.integer({ min: 1, max: 12 }),
  time: fc.option(fc.nat({ max: 5 }), { nil: undefined }),
  subject: fc.nat({ max: 1 }),
});
const anyHits = fc.array(anyHit, { maxLength: 6 });

describe("newerFirst", () => {
  it("ranks the newer of two similar hits first, and gives it the score of the older one", () => {
    const hits = [
      { score: 10, time: 1, subject: 0 },
      { score: 9, time: 3, subject: 0 },
    ];
    expect(ranked(hits)).toEqual([
      { document: 1, score: 10, lift: 1 },
      { document: 0, score: 10, lift: 0 },
    ]);
  });

  it.each([
    ["another subject", { score: 9, time: 3, subject: 1 }],
    ["no time", { score: 9, time: undefined, subject: 0 }],
    ["about the same time", { score: 9, time: 2, subject: 0 }],
    ["a much lower score", { score: 7, time: 3, subject: 0 }],
  ])("leaves a hit with %s where it is", (_, second) => {
    const found = ranked([{ score: 10, time: 1, subject: 0 }, second]);
    expect(found.map(({ document }) => document)).toEqual([0, 1]);
  });

  it("keeps the order of hits with equal times or without a time", () => {
    fc.assert(
      fc.property(anyHits, fc.constantFrom(3, undefined), (hits, time) => {
        const same = hits.map((hit) => ({ ...hit, time }));
        const scores = ranked(same).map(({ score }) => score);
        expect(scores).toEqual(same.map(({ score }) => score).toSorted((a, b) => b - a));
      }),
    );
  });

  it("keeps every hit, best first, and never lifts one over a clearly better one", () => {
    fc.assert(
      fc.property(anyHits, (hits) => {
        const found = ranked(hits);
        expect(found.map(({ document }) => document).toSorted((a, b) => a - b)).toEqual([
          ...hits.keys(),
        ]);
        for (const [at, { document, score }] of found.entries()) {
          const own = hits[document]?.score ?? 0;
          expect(score).toBeLessThanOrEqual(own * (1 + MAX_LIFT));
          for (const below of found.slice(at + 1)) {
            expect(below.score).toBeLessThanOrEqual(score);
            expect(hits[below.document]?.score).toBeLessThanOrEqual(own * (1 + MAX_LIFT));
          }
        }
      }),
      { numRuns: 500 },
    );
  });
});

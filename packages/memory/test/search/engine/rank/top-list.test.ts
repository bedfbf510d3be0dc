import * as fc from "fast-check";
import { expect, it } from "vitest";
import { createTopList, normalizeLimit } from "../../../../src/search/engine/rank/top-list.ts";

it("keeps what sorting would put first, in the order of arrival for equal scores", () => {
  const most = fc.constantFrom(0, 1, 2, 3, 100, 101, Infinity);
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 4 }), { maxLength: 12 }), most, (scores, limit) => {
      const best = createTopList(limit);
      for (const [document, score] of scores.entries()) best.offer(document, score);
      const sorted = scores
        .map((score, document) => ({ document, score }))
        .filter(({ score }) => score > 0)
        .toSorted((one, other) => other.score - one.score);
      expect(best.all()).toEqual(sorted.slice(0, limit));
    }),
    { numRuns: 1_000 },
  );
});

it("accepts only scores above its bar", () => {
  const best = createTopList(2);
  for (const score of [1, 5, 3]) best.offer(score, score);
  expect(best.bar()).toBe(3);
  expect(createTopList(0).bar()).toBe(Infinity);
});

it.for<readonly [limit: number | undefined, most: number]>([
  [undefined, 8],
  [Number.NaN, 8],
  [0, 0],
  [-1, 0],
  [-Infinity, 0],
  [2.9, 2],
  [1e9, 1e9],
  [Infinity, Infinity],
])("turns the limit %s into %s", ([limit, most]) => {
  expect(normalizeLimit(limit)).toBe(most);
});

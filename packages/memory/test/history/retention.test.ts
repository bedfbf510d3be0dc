import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { keptChanges, type RetainedChange } from "../../src/history/retention.ts";

const NO_LIMIT = { maxBytes: Infinity, maxChangesPerTopic: Infinity };

function change(topic: string, bytes: number, replaced = [topic]): RetainedChange {
  return { topics: [topic], replaced, bytes };
}

const kept = (
  changes: readonly RetainedChange[],
  limits: Partial<typeof NO_LIMIT>,
): readonly number[] => {
  const all = keptChanges(changes, { ...NO_LIMIT, ...limits });
  return changes.flatMap((each, at) => (all.has(each) ? [at] : []));
};

describe("keptChanges", () => {
  it("keeps the last replaced text of a topic, however much is written to another one", () => {
    const changes = [
      change("old", 5),
      change("old", 5),
      ...Array.from({ length: 50 }, () => change("loud", 5)),
    ];
    expect(kept(changes, { maxBytes: 30 })).toEqual([0, 1, 48, 49, 50, 51]);
    expect(kept(changes, { maxBytes: 0 })).toEqual([1, 51]);
  });

  it("keeps a removed text together with the changes after it", () => {
    const changes = [change("a", 1), change("a", 1), change("a", 1, []), change("b", 9)];
    expect(kept(changes, { maxBytes: 0 })).toEqual([1, 2, 3]);
  });

  it("keeps the newest change of a topic that never replaced a text", () => {
    expect(kept([change("a", 1, []), change("b", 1, [])], { maxBytes: 0 })).toEqual([0, 1]);
  });

  it("keeps a limited number of changes per topic", () => {
    const changes = ["a", "a", "b", "a", "a"].map((topic) => change(topic, 1));
    expect(kept(changes, { maxChangesPerTopic: 2 })).toEqual([2, 3, 4]);
  });

  const topic = fc.constantFrom("a", "b", "c");
  const changes = fc.array(
    fc
      .record({
        topics: fc.uniqueArray(topic, { minLength: 1 }),
        hasText: fc.boolean(),
        bytes: fc.nat(4),
      })
      .map(({ topics, hasText, bytes }): RetainedChange => ({
        topics,
        replaced: hasText ? topics.slice(0, 2) : [],
        bytes,
      })),
    { maxLength: 8 },
  );
  const limits = fc.record({
    maxBytes: fc.nat(12),
    maxChangesPerTopic: fc.integer({ min: 1, max: 4 }),
  });
  const sum = (some: Iterable<RetainedChange>): number =>
    [...some].reduce((bytes, one) => bytes + one.bytes, 0);

  it("always keeps the last text of each topic, and otherwise stays within the limit", () => {
    fc.assert(
      fc.property(changes, limits, (all, limit) => {
        const result = keptChanges(all, limit);
        for (const key of ["a", "b", "c"]) {
          const last = all.findLast(({ replaced }) => replaced.includes(key));
          expect(last === undefined || result.has(last)).toBe(true);
        }
        const required = sum(keptChanges(all, { ...limit, maxBytes: 0 }));
        const { maxBytes } = limit;
        expect(sum(result)).toBeLessThanOrEqual(Math.max(maxBytes, required + maxBytes / 4));
      }),
      { numRuns: 1_000 },
    );
  });

  it("keeps no change of a topic without the later ones, so that an undo stays with its change", () => {
    fc.assert(
      fc.property(changes, limits, (all, limit) => {
        const result = keptChanges(all, limit);
        for (const [at, one] of all.entries()) {
          const later = all.slice(at + 1);
          const isReason = one.topics.some((key) =>
            later.every((other) => !other.topics.includes(key) || result.has(other)),
          );
          expect(!result.has(one) || isReason).toBe(true);
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it("keeps everything of a topic that stays within an even share of the room", () => {
    fc.assert(
      fc.property(changes, fc.nat(12), (all, maxBytes) => {
        const single = all.map((one) => ({
          ...one,
          topics: one.topics.slice(0, 1),
          replaced: one.topics.slice(0, 1),
        }));
        const result = keptChanges(single, { maxBytes, maxChangesPerTopic: Infinity });
        for (const key of ["a", "b", "c"]) {
          const own = single.filter(({ topics }) => topics[0] === key);
          const required = sum(keptChanges(single, { maxBytes: 0, maxChangesPerTopic: 1 }));
          const isModest = sum(own) <= Math.floor((maxBytes - required) / 3);
          expect(!isModest || own.every((one) => result.has(one))).toBe(true);
        }
      }),
      { numRuns: 1_000 },
    );
  });
});

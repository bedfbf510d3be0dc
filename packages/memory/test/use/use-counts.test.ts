import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  addUses,
  noUse,
  parseUseCounts,
  renderUseCounts,
  unusedTopics,
  type UseEvent,
} from "../../src/use/use-counts.ts";

const DEPLOY = "memory://topics/deploy";

const event: fc.Arbitrary<UseEvent> = fc.record({
  address: fc.constantFrom(DEPLOY, "memory://topics/tests", "__proto__"),
  kind: fc.constantFrom("shown", "read", "found", "followed", "ignored"),
  atMs: fc.nat({ max: 5 }),
});

describe("counting the uses of memory", () => {
  it("reads back what it wrote, in whatever parts the uses were added", () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 8 }), fc.nat({ max: 8 }), (events, at) => {
        const counts = addUses(noUse(1), events);
        const inParts = addUses(addUses(noUse(1), events.slice(0, at)), events.slice(at));
        expect(inParts).toEqual(counts);
        expect(parseUseCounts(renderUseCounts(counts))).toEqual(counts);
        const total = Object.values(counts.memories).reduce(
          (sum, use) => sum + use.shown + use.read + use.found + use.followed + use.ignored,
          0,
        );
        expect(total).toBe(events.length);
      }),
    );
  });

  it("forgets the oldest uses when there are too many memories", () => {
    const events = Array.from({ length: 6_000 }, (_, index): UseEvent => {
      return { address: `session:${index}`, kind: "shown", atMs: index };
    });
    const { memories } = addUses(noUse(0), events);
    expect(Object.keys(memories)).toHaveLength(5_000);
    expect(memories).toHaveProperty(["session:5999"]);
    expect(memories).not.toHaveProperty(["session:0"]);
  });

  it.each([
    "",
    "{",
    "[]",
    '{"version":1}',
    '{"version":1,"sinceMs":-1,"memories":{}}',
    '{"version":2,"sinceMs":1,"memories":{}}',
  ])("does not read %j", (text) => {
    expect(parseUseCounts(text)).toBeUndefined();
  });

  it("reads a use with damaged numbers as far as it can", () => {
    const text = JSON.stringify({
      version: 1,
      sinceMs: 1,
      memories: { [DEPLOY]: { shown: 2, ignored: "x", read: -1 }, other: 7 },
    });
    const use = { shown: 2, followed: 0, ignored: 0, read: 0, found: 0, lastMs: 0 };
    expect(parseUseCounts(text)?.memories).toEqual({ [DEPLOY]: use });
  });
});

describe("a clock that was wrong for a while", () => {
  it("forgets a last use in the future that a wrong clock recorded", () => {
    const use = { address: DEPLOY, kind: "read" } as const;
    const future = addUses(noUse(0), [{ ...use, atMs: Date.parse("2099-01-01") }]);
    const atMs = Date.parse("2026-11-18");
    expect(addUses(future, [{ ...use, atMs }]).memories[DEPLOY]).toMatchObject({
      read: 2,
      lastMs: atMs,
    });
    const close = addUses(noUse(0), [{ ...use, atMs: atMs + 1_000 }]);
    expect(addUses(close, [{ ...use, atMs }]).memories[DEPLOY]?.lastMs).toBe(atMs + 1_000);
  });
});

describe("topics that no one uses", () => {
  const topics = [
    { slug: "deploy", updatedMs: 0 },
    { slug: "tests", updatedMs: 0 },
    { slug: "new", updatedMs: 40 },
  ];
  const sessionsMs = Array.from({ length: 60 }, (_, index) => index);

  it("unused topics are those that many sessions did without since they were written", () => {
    const counts = addUses(noUse(0), [{ address: DEPLOY, kind: "found", atMs: 5 }]);
    expect(unusedTopics({ counts, topics, sessionsMs })).toEqual([{ slug: "tests", sessions: 60 }]);
  });

  it("unused topics are none while counting has only begun", () => {
    expect(unusedTopics({ counts: noUse(20), topics, sessionsMs })).toEqual([]);
  });
});

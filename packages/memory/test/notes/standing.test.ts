import { describe, expect, it } from "vitest";
import { standingsIn } from "../../src/notes/standing.ts";

const document = (id: string, score: number) => ({
  id,
  kind: "topic" as const,
  type: undefined,
  updatedMs: undefined,
  score,
  coverage: 1,
});

const standingOf = standingsIn({
  topics: [document("topics:deploy#", 8), document("topics:colors#", 2)],
  sessions: [
    { session: "one", score: 2 },
    { session: "two", score: 1 },
  ],
});

describe("standingsIn", () => {
  it("compares conversations and topics only with their own kind", () => {
    expect(standingOf({ entry: "sessions:one", kind: "statement" })).toEqual({
      share: 1,
      place: 1,
    });
    expect(standingOf({ entry: "sessions:two", kind: "statement" })).toEqual({
      share: 0.5,
      place: 0.5,
    });
    expect(standingOf({ entry: "topics:colors", kind: "topic" })).toEqual({
      share: 0.25,
      place: 0.5,
    });
  });

  it("gives nothing to what was not found, and to a fact in a list", () => {
    const nothing = { share: 0, place: 0 };
    expect(standingOf({ entry: "sessions:three", kind: "statement" })).toEqual(nothing);
    expect(standingOf({ entry: "topics:deploy", kind: "section" })).toEqual(nothing);
  });
});

import { expect, it } from "vitest";
import {
  formatSearchedCounts,
  formatDayAndAge,
  toJson,
} from "../../../src/search/results/to-json.ts";

const NOW_MS = Date.parse("2026-11-16T12:00:00Z");

it.for([
  [NOW_MS, "2026-11-16, today"],
  [NOW_MS - 3 * 86_400_000, "2026-11-13, 3 days ago"],
  [Date.parse("2026-11-15T23:59:00Z"), "2026-11-15, yesterday"],
  [undefined, "undated"],
  [NaN, "undated"],
  [Infinity, "undated"],
  [9e15, "undated"],
] as const)("formats the day and the age of %s as %s", ([updatedMs, expected]) => {
  expect(formatDayAndAge(updatedMs, NOW_MS)).toBe(expected);
});

it.for([
  [{ topics: 1, sessions: 0, turns: 0 }, "1 topic"],
  [{ topics: 12, sessions: 1, turns: 1 }, "12 topics and 1 turn of 1 past session"],
  [{ topics: 0, sessions: 90, turns: 34_000 }, "34,000 turns of 90 past sessions"],
] as const)("formats the counts %j in words", ([amounts, expected]) => {
  expect(formatSearchedCounts(amounts)).toBe(expected);
});

it("converts results to JSON with ISO times and rounded scores", () => {
  const searched = { topics: 0, sessions: 1, turns: 2 };
  const passage = { session: "s", agent: "codex", title: "t", turns: [] };
  const sessions = [{ ...passage, updatedMs: NOW_MS, score: 1.23456 }];
  expect(toJson({ topics: [], sessions, searched, notes: ["n"] }, NOW_MS)).toEqual({
    topics: [],
    sessions: [{ ...passage, updated: "2026-11-16T12:00:00.000Z", age: "today", score: 1.235 }],
    searched,
    notes: ["n"],
  });
});

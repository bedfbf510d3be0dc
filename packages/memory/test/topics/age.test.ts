import { describe, expect, it } from "vitest";
import { formatAge, formatAgeWithWarning } from "../../src/topics/age.ts";

const NOW = Date.parse("2026-11-16T12:00:00Z");
const DAY = 86_400_000;

describe("formatAge", () => {
  it.for([
    [0, "today"],
    [DAY - 1, "today"],
    [DAY, "yesterday"],
    [2 * DAY - 1, "yesterday"],
    [2 * DAY, "2 days ago"],
    [47 * DAY, "47 days ago"],
    [1000 * DAY, "1000 days ago"],
    [-5 * DAY, "today"],
  ] as const)("formats an age of %i ms as %j", ([elapsed, words]) => {
    expect(formatAge(NOW - elapsed, NOW)).toBe(words);
  });

  it("adds a warning from the second day on", () => {
    expect(formatAgeWithWarning(NOW - 2 * DAY + 1, NOW)).toBe("yesterday");
    expect(formatAgeWithWarning(NOW - 2 * DAY, NOW)).toBe(
      "2 days ago; verify before relying on it",
    );
    expect(formatAgeWithWarning(NOW - 47 * DAY, NOW)).toBe(
      "47 days ago; verify before relying on it",
    );
  });
});

import * as fc from "fast-check";
import { expect, it } from "vitest";
import {
  matchesPattern,
  matchesPatternFrom,
} from "../../../src/permissions/shell/match-pattern.ts";

it.for([
  ["git status", "git status", true],
  ["git status", "git status -s", false],
  ["git status*", "git status", true],
  ["git status*", "git status -s", true],
  ["git status*", "xgit status", false],
  ["*", "", true],
  ["*", "anything\nat all", true],
  ["*.ts", "src/a.ts", true],
  ["*.ts", "src/a.tsx", false],
  ["a*a", "a", false],
  ["a*a", "aa", true],
  ["a*b*c", "a-b-b-c", true],
  ["a*b*c", "a-c-b", false],
  ["a*bc*c", "abc", false],
  ["a.c", "abc", false],
  ["[ab]", "a", false],
  ["Git*", "git", false],
] as const)("matches the pattern %j against %j: %j", ([pattern, text, expected]) => {
  expect(matchesPattern(pattern, text)).toBe(expected);
});

it("agrees with a matcher that tries every possibility", () => {
  const pattern = fc.string({ unit: fc.constantFrom("a", "b", "*"), maxLength: 6 });
  const text = fc.string({ unit: fc.constantFrom("a", "b", "*"), maxLength: 6 });
  fc.assert(
    fc.property(pattern, text, (given, candidate) => {
      expect(matchesPattern(given, candidate)).toBe(matchesByTrying(given, candidate));
    }),
    { numRuns: 2000 },
  );
});

it("matches the end of a text like a separate text", () => {
  const piece = fc.string({ unit: fc.constantFrom("a", "b", "*"), maxLength: 6 });
  const starts = fc.array(fc.nat(6), { maxLength: 3 });
  fc.assert(
    fc.property(piece, piece, starts, (pattern, text, offsets) => {
      const inside = offsets.filter((offset) => offset <= text.length);
      expect(matchesPatternFrom(pattern, text, inside)).toBe(
        inside.some((offset) => matchesPattern(pattern, text.slice(offset))),
      );
    }),
    { numRuns: 1000 },
  );
});

// Backtracking would never finish here.
it("finishes for a pattern full of stars and a very long text", () => {
  expect(matchesPattern(`${"a*".repeat(127)}b`, "a".repeat(1_000_000))).toBe(false);
});

function matchesByTrying(pattern: string, text: string): boolean {
  if (pattern === "") return text === "";
  const rest = pattern.slice(1);
  if (pattern.startsWith("*")) {
    return matchesByTrying(rest, text) || (text !== "" && matchesByTrying(pattern, text.slice(1)));
  }
  return text.startsWith(pattern.slice(0, 1)) && matchesByTrying(rest, text.slice(1));
}

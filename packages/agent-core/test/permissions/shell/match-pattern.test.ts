import * as fc from "fast-check";
import { expect, it } from "vitest";
import { matchesPattern, matchesPatternFrom } from "../../../src/permissions/shell/match-pattern.ts";
import { processorMs } from "../../../../../test/support/processor-time.ts";

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
] as const)("says that %j against %j is %j", ([pattern, text, expected]) => {
  expect(matchesPattern(pattern, text)).toBe(expected);
});

it("agrees with trying every way there is", () => {
  const pattern = fc.string({ unit: fc.constantFrom("a", "b", "*"), maxLength: 6 });
  const text = fc.string({ unit: fc.constantFrom("a", "b", "*"), maxLength: 6 });
  fc.assert(
    fc.property(pattern, text, (given, candidate) => {
      expect(matchesPattern(given, candidate)).toBe(matchesInSomeWay(given, candidate));
    }),
    { numRuns: 2000 },
  );
});

it("says the same of the end of a text as of a text of its own", () => {
  const piece = fc.string({ unit: fc.constantFrom("a", "b", "*"), maxLength: 6 });
  const starts = fc.array(fc.nat(6), { maxLength: 3 });
  fc.assert(
    fc.property(piece, piece, starts, (pattern, text, places) => {
      const inside = places.filter((place) => place <= text.length);
      expect(matchesPatternFrom(pattern, text, inside)).toBe(
        inside.some((place) => matchesPattern(pattern, text.slice(place))),
      );
    }),
    { numRuns: 1000 },
  );
});

it("takes linear time on a pattern full of stars", () => {
  const started = processorMs();
  expect(matchesPattern(`${"a*".repeat(127)}b`, "a".repeat(1_000_000))).toBe(false);
  expect(processorMs() - started).toBeLessThan(1_000);
});

function matchesInSomeWay(pattern: string, text: string): boolean {
  if (pattern === "") return text === "";
  const rest = pattern.slice(1);
  if (pattern.startsWith("*")) {
    return (
      matchesInSomeWay(rest, text) || (text !== "" && matchesInSomeWay(pattern, text.slice(1)))
    );
  }
  return text.startsWith(pattern.slice(0, 1)) && matchesInSomeWay(rest, text.slice(1));
}

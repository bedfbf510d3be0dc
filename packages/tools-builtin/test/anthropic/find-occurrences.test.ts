import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findOccurrences } from "../../src/anthropic/find-occurrences.ts";

/** Finds all occurrences with `indexOf`. */
function occurrencesIn(text: string, sought: string): readonly number[] {
  const found: number[] = [];
  for (let at = text.indexOf(sought); at !== -1; at = text.indexOf(sought, at + 1)) found.push(at);
  return found;
}

describe("findOccurrences", () => {
  const texts = (minLength: number, maxLength: number): fc.Arbitrary<string> =>
    fc.string({ unit: fc.constantFrom("a", "b"), minLength, maxLength });

  it("finds every occurrence, even overlapping ones", () => {
    fc.assert(
      fc.property(texts(0, 12), texts(1, 4), (text, sought) => {
        expect([...findOccurrences(text, sought)]).toEqual(occurrencesIn(text, sought));
      }),
      { numRuns: 2_000 },
    );
  });

  // `indexOf` would take minutes for these texts.
  it.for([
    ["everywhere", "a".repeat(120_000), 130_001],
    ["nearly everywhere", `${"a".repeat(60_000)}b${"a".repeat(60_000)}`, 0],
  ] as const)("finishes for a long text that occurs %s", ([, sought, count]) => {
    expect([...findOccurrences("a".repeat(250_000), sought)].length).toBe(count);
  });
});

import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findOccurrences } from "../../src/anthropic/find-occurrences.ts";

/** All places, as the language finds them. */
function placesIn(text: string, sought: string): readonly number[] {
  const places: number[] = [];
  for (let at = text.indexOf(sought); at !== -1; at = text.indexOf(sought, at + 1)) places.push(at);
  return places;
}

describe("placesOf", () => {
  const texts = (minLength: number, maxLength: number): fc.Arbitrary<string> =>
    fc.string({ unit: fc.constantFrom("a", "b"), minLength, maxLength });

  it("finds every place, also those that overlap", () => {
    fc.assert(
      fc.property(texts(0, 12), texts(1, 4), (text, sought) => {
        expect([...findOccurrences(text, sought)]).toEqual(placesIn(text, sought));
      }),
      { numRuns: 2_000 },
    );
  });

  it.for([
    ["a text that is everywhere", "a".repeat(120_000), 130_001],
    ["a text that is nearly everywhere", `${"a".repeat(60_000)}b${"a".repeat(60_000)}`, 0],
  ] as const)("takes the time of one reading for %s", ([, sought, count]) => {
    const started = process.cpuUsage();
    expect([...findOccurrences("a".repeat(250_000), sought)].length).toBe(count);
    const { user, system } = process.cpuUsage(started);
    expect((user + system) / 1_000).toBeLessThan(2_000);
  });
});

import { estimateTokens } from "@caliban/common";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fitText } from "../../src/notes/fit-text.ts";

describe("fitText", () => {
  it("never exceeds the limit", () => {
    const word = fc.oneof(fc.constantFrom("a.", "Yes!", "long-word", "ü", "日本。"), fc.string());
    fc.assert(
      fc.property(fc.array(word, { maxLength: 12 }), fc.nat({ max: 8 }), (words, max) => {
        expect(estimateTokens(fitText(words.join(" "), max))).toBeLessThanOrEqual(max);
      }),
    );
  });

  it.for([
    ["One. Two.", 80, "One. Two."],
    ["Use pnpm here. It is faster than npm.", 4, "Use pnpm here."],
    ["This sentence is far too long for it", 4, "This sentence…"],
    ["two\n  lines", 80, "two lines"],
  ] as const)("cuts %j at %i tokens", ([text, max, expected]) => {
    expect(fitText(text, max)).toBe(expected);
  });
});

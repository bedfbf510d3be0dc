import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { splitArguments } from "../src/split-arguments.ts";

describe("words", () => {
  it.each([
    ["", []],
    ["  a  b ", ["a", "b"]],
    ["'a b' c", ["a b", "c"]],
    ['--description="two words"', ["--description=two words"]],
    ['"" x', ["", "x"]],
    ['"not closed', ["not closed"]],
    ["it's fine", ["it's", "fine"]],
  ])("splits %j into words", (text, words) => {
    expect(splitArguments(text)).toEqual(words);
  });

  it("returns quoted words unchanged", () => {
    const word = fc.string({ unit: fc.constantFrom("a", " ", "'", "\t", "$", "\\"), maxLength: 5 });
    fc.assert(
      fc.property(fc.array(word, { maxLength: 4 }), (words) => {
        const text = words.map((each) => `"${each}"`).join(" ");
        expect(splitArguments(text)).toEqual(words);
      }),
    );
  });
});

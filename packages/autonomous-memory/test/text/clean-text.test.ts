import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cleanText } from "../../src/text/clean-text.ts";

describe("cleanText", () => {
  it.for([
    ["plain text\twith a tab\n", "plain text\twith a tab\n"],
    ["a\r\nb\rc\u2028d\u2029e", "a\nb\nc\nd\ne"],
    ["\u001B[1;31mred\u001B[0m and \u009B4munder", "red and under"],
    ["\u001B]0;a title\u0007text", "text"],
    ["\u001B]8;;https://x.org\u001B\\link\u001B]8;;\u001B\\", "link"],
    ["\u001B(Bshown\u001B7", "shown"],
    ["an end \u001B[", "an end "],
    ["nul\u0000 bell\u0007 del\u007F next\u0085line", "nul bell del nextline"],
    ["half \uD83D of a pair, and \uDE42", "half \uFFFD of a pair, and \uFFFD"],
    ["🙂 naïve 日本", "🙂 naïve 日本"],
    ["\u202Eright\u2066to\u2069left", "righttoleft"],
  ] as const)("turns %j into %j", ([text, expected]) => {
    expect(cleanText(text)).toBe(expected);
  });

  it("leaves no control characters except tabs and line ends, and no lone surrogates", () => {
    const unit = fc.constantFrom(
      "a",
      "[",
      "3",
      "m",
      "]",
      "\u001B",
      "\u009B",
      "\u0007",
      "\r",
      "\n",
      "\t",
      "\0",
      "\uD83D",
      "\uDE42",
      "\\",
    );
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 12 }), (units) => {
        const clean = cleanText(units.join(""));
        expect(clean).not.toMatch(/(?![\t\n])\p{Cc}/u);
        expect(clean.isWellFormed()).toBe(true);
      }),
    );
  });
});

import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hang, wrapLines, wrapText } from "../src/wrap-text.ts";

const WORDS = fc.array(fc.stringMatching(/^[a-z]{1,12}$/), { minLength: 1, maxLength: 12 });

describe("wrapText", () => {
  it("keeps every word whole, and every line within the columns unless it is one word", () => {
    fc.assert(
      fc.property(WORDS, fc.integer({ min: 1, max: 30 }), (words, columns) => {
        const lines = wrapText(words.join(" "), columns);
        expect(lines.join(" ").split(" ")).toEqual(words);
        for (const line of lines.filter((each) => each.includes(" ")))
          expect(line.length).toBeLessThanOrEqual(columns);
      }),
    );
  });
});

describe("wrapLines", () => {
  it("indents what continues a line", () => {
    expect(wrapLines("  note  one two three\nfour", 14)).toBe("  note  one\n    two three\nfour");
  });

  it("changes nothing without a terminal", () => {
    expect(wrapLines("  a b\n", undefined)).toBe("  a b\n");
  });
});

describe("hang", () => {
  const text = "one two three four five six";

  it("puts a text next to its head", () => {
    expect(hang({ head: "  a  ", text, columns: undefined })).toBe(`  a  ${text}`);
    expect(hang({ head: "  a  ", text, columns: 28 })).toBe(
      "  a  one two three four five\n     six",
    );
  });

  it("puts a text below its head where a word does not fit next to it", () => {
    expect(hang({ head: "  a-long-name  ", text: "~/a/path/without/a/space", columns: 30 })).toBe(
      "  a-long-name\n    ~/a/path/without/a/space",
    );
    expect(hang({ head: "  a-long-name  ", text, columns: 30 })).toBe(
      "  a-long-name\n    one two three four five\n    six",
    );
  });
});

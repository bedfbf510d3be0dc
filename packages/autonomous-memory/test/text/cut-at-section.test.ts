import { utf8Bytes } from "@caliban/common";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cutAtSection } from "../../src/text/cut-at-section.ts";

describe("cutAtSection", () => {
  it.for([
    ["leaves what fits", "## A\n\na\n", 9, "## A\n\na\n"],
    ["ends at a section", "## A\n\na\n\nmore\n\n## B\n\nb\n", 22, "## A\n\na\n\nmore\n"],
    ["ends at a paragraph where no section fits", "## A\n\na\n\nmore\nlines\n", 14, "## A\n\na\n"],
    ["ends at a line where no paragraph fits", "one\ntwo\nthree\n", 9, "one\ntwo\n"],
    ["ends at a character where no line fits", "äöü", 4, "äö"],
    ["does not end at a heading that is code", "a\n\n```\n## x\n```\nb\n\nc\n", 14, "a\n"],
  ] as const)("%s", ([, text, maxBytes, expected]) => {
    expect(cutAtSection(text, maxBytes).text).toBe(expected);
  });

  it("never exceeds the limit and never adds text", () => {
    const part = fc.constantFrom("\n", "\n\n", "## a\n", "b", "ä", "😀", "```\n", " ");
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), fc.nat(12), (parts, maxBytes) => {
        const text = parts.join("");
        const cut = cutAtSection(text, maxBytes);
        expect(utf8Bytes(cut.text)).toBeLessThanOrEqual(maxBytes);
        expect(cut.isCut).toBe(utf8Bytes(text) > maxBytes);
        expect(text.startsWith(cut.text.trimEnd())).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });
});

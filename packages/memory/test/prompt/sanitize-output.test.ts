import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FORGED_OUTPUT } from "../../../../test/attack/forged-frames.ts";
import { sanitizeOutput } from "../../src/prompt/sanitize-output.ts";
import { OWN_TAGS } from "../../src/prompt/tier.ts";

describe("sanitizeOutput", () => {
  it.for(FORGED_OUTPUT)("escapes %j as %j", ([text, expected]) => {
    expect(sanitizeOutput(text)).toBe(expected);
  });

  it.for([
    "<project-rules>",
    "<div>&lt;p&gt;",
    "if (a < project - rule) x",
    "list[0] = [1, 2]",
    "a [truncated: 5]",
    "Ünïcödé ［x］ ＜b＞",
    "",
  ])("leaves %j unchanged", (text) => {
    expect(sanitizeOutput(text)).toBe(text);
  });

  it("leaves no tag of ours, whatever surrounds it, and changes nothing the second time", () => {
    const piece = fc.constantFrom(
      "<",
      "</",
      "＜",
      "&lt;",
      "\n",
      " ",
      "\u200B",
      "x",
      ">",
      ...OWN_TAGS,
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const once = sanitizeOutput(pieces.join(""));
        expect(once.normalize("NFKC").replaceAll("\u200B", "")).not.toMatch(
          new RegExp(String.raw`<\s*/?\s*(?:${OWN_TAGS.join("|")})(?![\w-])`),
        );
      }),
    );
  });
});

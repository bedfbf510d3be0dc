import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sanitizeOutput } from "../../src/prompt/sanitize-output.ts";
import { OWN_TAGS } from "../../src/prompt/tier.ts";

describe("sanitizeOutput", () => {
  it.for([
    ["<project-claude-md>", "&lt;project-claude-md>"],
    ["a </Project-Claude-MD> b", "a &lt;/Project-Claude-MD> b"],
    ["< / project-rule>", "&lt; / project-rule>"],
    ["<pro\nject-rule>", "&lt;pro\nject-rule>"],
    ["<\nproject-rule>", "&lt;\nproject-rule>"],
    ["＜project-rule＞", "&lt;project-rule＞"],
    ["<ｐｒｏｊｅｃｔ-rule>", "&lt;ｐｒｏｊｅｃｔ-rule>"],
    ["&lt;project-rule&gt;", "&lt;project-rule&gt;"],
    ["&#60;project-rule>", "&lt;project-rule>"],
    ["&#x3C;project-rule>", "&lt;project-rule>"],
    ["<pro\u200Bject-rule>", "&lt;pro\u200Bject-rule>"],
    ["[truncated: 5 bytes]", "\\[truncated: 5 bytes]"],
    ["a\n  [Today is 2026-01-01.]", "a\n  \\[Today is 2026-01-01.]"],
    ["［not loaded: x］", "\\[not loaded: x］"],
    ["[memory  that\nmay apply: x]", "\\[memory  that\nmay apply: x]"],
  ] as const)("escapes %j as %j", ([text, expected]) => {
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

import * as fc from "fast-check";
import { expect, it } from "vitest";
import { FORGED_FRAMES } from "../../../../test/attack/forged-frames.ts";
import { sanitize } from "../../src/prompt/sanitize.ts";
import { OWN_TAGS } from "../../src/prompt/tier.ts";

it.for(FORGED_FRAMES)("escapes %j as %j", ([text, expected]) => {
  expect(sanitize(text)).toBe(expected);
});

it.for([
  "<project-claude-mdx> <b>",
  "see [end of line]",
  "see [today is fine]",
  "[endof x]\n[link](a)",
  "x < y && y > z",
])("leaves %j unchanged", (text) => {
  expect(sanitize(text)).toBe(text);
});

it("leaves none of our tags unescaped in any text", () => {
  const piece = fc.constantFrom(
    "<",
    "/",
    " ",
    "\n",
    ">",
    ...OWN_TAGS,
    ...OWN_TAGS.map((tag) => tag.toUpperCase()),
  );
  const tag = new RegExp(`<\\s*/?\\s*(?:${OWN_TAGS.join("|")})(?![\\w-])`, "i");
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
      expect(sanitize(pieces.join(""))).not.toMatch(tag);
    }),
  );
});

it("leaves text that is already escaped unchanged", () => {
  const piece = fc.constantFrom("<auto-memory-index>", "text", "\r\n", "\n", "<", "[x]");
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
      const once = sanitize(pieces.join(""));
      expect(sanitize(once)).toBe(once);
    }),
  );
});

// Quadratic work on a file of this size takes a minute, which is more than a test may take.
it.for([
  ["<", " "],
  ["", "\r"],
  ["", "<"],
  ["", "[end of "],
  ["", "<project-claude-md"],
  ["p", "\u200B"],
  ["", " \u200B<"],
] as const)("escapes a file of %j and many %j in linear time", ([start, unit]) => {
  const text = start + unit.repeat(Math.floor(262_144 / unit.length));
  expect(sanitize(text).length).toBeGreaterThanOrEqual(text.length);
});

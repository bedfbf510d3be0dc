import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  createView,
  isEdited,
  toOriginalOffset,
  toOriginalSpans,
} from "../../../src/secrets/views/text-view.ts";
import { resolveEscapes } from "../../../src/secrets/views/resolve-escapes.ts";
import { unmaskText } from "../../../src/secrets/views/unmask.ts";
import { unwrapLines } from "../../../src/secrets/views/unwrap-lines.ts";

const VIEW = createView("ab%41cd\nef", [
  { start: 2, end: 5, shown: "A" },
  { start: 7, end: 8, shown: "" },
]);

describe("text views", () => {
  it("createView shows replacements instead of the original", () => {
    expect(VIEW.text).toBe("abAcdef");
  });

  it.for([
    ["before an edit", [0, 2], [0, 2]],
    ["over a replaced part", [1, 4], [1, 6]],
    ["that begins with a replaced part", [2, 3], [2, 5]],
    ["over a removed part", [4, 6], [6, 9]],
    ["that ends before a removed part", [3, 5], [5, 7]],
    ["that begins after a removed part", [5, 7], [8, 10]],
  ] as const)(
    "toOriginalSpans maps a span %s",
    ([, [start, end], [expectedStart, expectedEnd]]) => {
      const [span] = toOriginalSpans(VIEW, [{ kind: "a", start, end }]);
      expect(span).toEqual({ kind: "a", start: expectedStart, end: expectedEnd });
      expect(toOriginalOffset(VIEW, start)).toBe(expectedStart);
    },
  );

  it.for([
    [0, 2, false],
    [1, 3, true],
    [3, 5, false],
    [4, 6, true],
    [5, 7, false],
  ] as const)("isEdited of %i to %i is %j", ([start, end, expected]) => {
    expect(isEdited(VIEW, { kind: "a", start, end })).toBe(expected);
  });

  it.for([
    ["unmaskText", unmaskText],
    ["resolveEscapes", resolveEscapes],
    ["unwrapLines", unwrapLines],
  ] as const)("%s maps every span to a part of the original that reads the same", ([, show]) => {
    const unit = fc.constantFrom(
      "a",
      "b1",
      "\n",
      "\u200B",
      "ａ",
      "𝗴",
      "é",
      "🙂",
      "\\",
      "_",
      "/",
      "%41",
      "&#66;",
      "&amp;",
      '"',
      "+",
      " ",
      "Xy9z",
    );
    fc.assert(
      fc.property(fc.array(unit), fc.nat(8), fc.nat(4), (units, from, length) => {
        const original = units.join("");
        const view = show(original);
        const start = Math.min(from, view.text.length);
        const end = Math.min(start + length, view.text.length);
        fc.pre(start < end);
        const [span = { start: -1, end: -1 }] = toOriginalSpans(view, [{ kind: "a", start, end }]);
        expect(span.start).toBeLessThanOrEqual(span.end);
        expect(span.end).toBeLessThanOrEqual(original.length);
        const shown = view.text.slice(start, end);
        const isSame = original.slice(span.start, span.end) === shown;
        expect(isSame || isEdited(view, { kind: "a", start, end })).toBe(true);
      }),
    );
  });
});

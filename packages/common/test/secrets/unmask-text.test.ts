import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toOriginalSpans } from "../../src/secrets/views/text-view.ts";
import { unmaskText } from "../../src/secrets/views/unmask.ts";

describe("unmaskText", () => {
  it.for([
    ["plain text", "plain text"],
    ["a\u200Bb\u00ADc\uFEFF", "abc"],
    ["ｇｈｐ＿", "ghp_"],
    ["𝗴𝗵𝗽", "ghp"],
    [String.raw`gh\_p https:\/\/x C:\dir`, String.raw`gh_p https://x C:\dir`],
    ["naïve 日本 🙂 …", "naïve 日本 🙂 …"],
  ] as const)("unmaskText reads %j as %j", ([text, expected]) => {
    expect(unmaskText(text).text).toBe(expected);
  });

  it("toOriginalSpans maps every span back to its characters in the original", () => {
    const unit = fc.constantFrom("a", "b", "\n", "\u200B", "ａ", "𝗴", "é", "🙂", "\\", "_", "/");
    fc.assert(
      fc.property(fc.array(unit), fc.nat(8), fc.nat(4), (units, from, length) => {
        const original = units.join("");
        const unmasked = unmaskText(original);
        const start = Math.min(from, unmasked.text.length);
        const end = Math.min(start + length, unmasked.text.length);
        const [span = { start: -1, end: -1 }] = toOriginalSpans(unmasked, [
          { kind: "a", start, end },
        ]);
        expect(span.end).toBeLessThanOrEqual(original.length);
        expect(unmaskText(original.slice(span.start, span.end)).text).toContain(
          unmasked.text.slice(start, end),
        );
      }),
    );
  });
});

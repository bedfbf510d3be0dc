import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { countPages, pageLines } from "../../src/dialogs/page-lines.ts";

describe("the pages of a dialog", () => {
  it("shows every line on some page, and the last line on the first", () => {
    const count = fc.integer({ min: 0, max: 60 });
    fc.assert(
      fc.property(count, fc.integer({ min: 3, max: 12 }), (total, maxRows) => {
        const lines = Array.from({ length: total }, (_, index) => String(index));
        const pages = Array.from({ length: countPages(total, maxRows) }, (_, page) =>
          pageLines(lines, { page, maxRows }),
        );
        const seen = new Set(pages.flatMap((page) => page.lines));
        expect(lines.filter((line) => !seen.has(line))).toEqual([]);
        expect(pages[0]?.lines.at(-1)).toBe(lines.at(-1));
        for (const page of pages) {
          expect(page.lines.length + (page.note === "" ? 0 : 1)).toBeLessThanOrEqual(maxRows);
        }
      }),
    );
  });
});

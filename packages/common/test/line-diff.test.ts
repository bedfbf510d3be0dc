import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type DiffHunk, diffLines } from "../src/line-diff.ts";
import { parseNumberedDiff, renderHunk } from "../src/numbered-diff.ts";

/** Rebuilds both texts from a diff whose context is the whole text. */
function sides(hunks: readonly DiffHunk[]): readonly [readonly string[], readonly string[]] {
  return [
    hunks.flatMap(({ lead, before, tail }) => [...lead, ...before, ...tail]),
    hunks.flatMap(({ lead, after, tail }) => [...lead, ...after, ...tail]),
  ];
}

const texts = fc.array(fc.constantFrom("a", "b", "c"), { maxLength: 8 });

describe("the diff of two texts", () => {
  it("contains both of them, with the numbers that their lines have", () => {
    fc.assert(
      fc.property(texts, texts, (before, after) => {
        const hunks = diffLines(before, after, Infinity);
        const isEqual = before.join() === after.join() && before.length === after.length;
        expect(sides(hunks)).toEqual(isEqual ? [[], []] : [before, after]);
        const shown = parseNumberedDiff(hunks.flatMap(renderHunk).join("\n"));
        for (const { sign, line, text } of shown.filter((each) => each.line !== undefined)) {
          expect((sign === "-" ? before : after)[(line ?? 0) - 1]).toBe(text);
        }
      }),
      { numRuns: 500 },
    );
  });

  it("finds the smallest change", () => {
    const changed = (hunks: readonly DiffHunk[]): number =>
      hunks.reduce((sum, { before, after }) => sum + before.length + after.length, 0);
    expect(changed(diffLines(["a", "b", "c", "d"], ["b", "x", "c", "d", "e"], 0))).toBe(3);
    fc.assert(
      fc.property(texts, texts, (before, after) => {
        expect(changed(diffLines(before, after, 1))).toBe(
          before.length + after.length - 2 * commonLength(before, after),
        );
      }),
    );
  });

  it("shows each line of context once", () => {
    const before = ["1", "2", "3", "4", "5", "6", "7", "8", "9"];
    const after = before.map((line) => (line === "3" || line === "5" ? `${line}!` : line));
    const lines = diffLines(before, after, 2).flatMap(renderHunk);
    expect(lines).toEqual([
      "  1\t1",
      "  2\t2",
      "- \t3",
      "+ 3\t3!",
      "  4\t4",
      "- \t5",
      "+ 5\t5!",
      "  6\t6",
      "  7\t7",
    ]);
  });

  it("takes a change that is too large as one", () => {
    const [before, after] = ["a", "b"].map((name) =>
      Array.from({ length: 5000 }, (_, index) => `${name}${index}`),
    );
    const hunks = diffLines(["same", ...(before ?? [])], ["same", ...(after ?? [])], 1);
    expect(hunks).toHaveLength(1);
    expect(hunks[0]).toMatchObject({ line: 1, lead: ["same"], before, after });
  });
});

function commonLength(one: readonly string[], other: readonly string[]): number {
  const [head, ...rest] = one;
  if (head === undefined) return 0;
  const at = other.indexOf(head);
  const without = commonLength(rest, other);
  return at === -1 ? without : Math.max(without, 1 + commonLength(rest, other.slice(at + 1)));
}

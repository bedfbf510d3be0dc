import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { newIndex } from "../../src/index-file/edit-index.ts";
import { parseIndexLines } from "../../src/index-file/index-lines.ts";
import { mergeIndex, retargetLines, removeAddedLines } from "../../src/index-file/merge-index.ts";
import { parseTopicSlug } from "../../src/topics/slug.ts";

const everything = (): boolean => true;

describe("mergeIndex", () => {
  it("adds lines after the last line and other text at the end, and removes nothing", () => {
    const own = "# Mine\n\n- [a](a.md) — project: x\n\nBye.\n";
    const other = "# Theirs\n\n- [A](a.md) — hook\n- [B](b.md) — hook\n\nHello.\n";
    expect(mergeIndex(own, other, everything)).toBe(
      "# Mine\n\n- [a](a.md) — project: x\n- [B](b.md) — hook\n\nBye.\n\n# Theirs\n\nHello.\n",
    );
  });

  it("keeps the introduction of a new index only once", () => {
    const own = `${newIndex()}\n- [a](a.md) — project: x\n`;
    const merged = mergeIndex(own, `${newIndex()}\nHello.\n`, everything);
    expect(merged).toBe(`${own}\nHello.\n`);
  });

  it("adds nothing the second time if a line continues after the introduction", () => {
    const other = `${newIndex().trim()}~\n`;
    const once = mergeIndex("# Mine\n", other, everything);
    expect(mergeIndex(once, other, everything)).toBe(once);
  });

  it("skips lines of topics that do not exist", () => {
    expect(mergeIndex("", "- [B](b.md) — hook\n", () => false)).toBe("");
  });

  const LINES = [
    "- [a](a.md) — project: x",
    "- [A](a.md) — h",
    "* [B](b.md)",
    "words",
    "",
    "# H",
    "```",
    "<!--",
    "-->",
  ];
  const texts = fc
    .array(fc.constantFrom(...LINES), { maxLength: 6 })
    .map((lines) => lines.map((line) => `${line}\n`).join(""));

  it("keeps every line of both indexes and converges", () => {
    fc.assert(
      fc.property(texts, texts, (own, other) => {
        const merged = mergeIndex(own, other, everything);
        const rest = merged.split("\n");
        for (const line of own.split("\n")) expect(rest).toContain(line);
        // The end of a comment may hide lines that were visible before: they are added once more, but not a third time.
        const again = mergeIndex(merged, other, everything);
        expect(mergeIndex(again, other, everything)).toBe(again);
        for (const line of other.split("\n").filter((each) => !each.includes("](")))
          expect(rest).toContain(line);
      }),
      { numRuns: 2_000 },
    );
  });

  it("keeps a line for every topic of both indexes if nothing is hidden", () => {
    const plain = texts.filter((text) => !/```|<!--|-->/.test(text));
    fc.assert(
      fc.property(plain, plain, (own, other) => {
        const merged = mergeIndex(own, other, everything);
        const slugs = (text: string): readonly string[] =>
          parseIndexLines(text).map(({ slug }) => slug);
        const wanted = new Set([...slugs(own), ...slugs(other)]);
        expect(new Set(slugs(merged))).toEqual(wanted);
        expect(mergeIndex(merged, other, everything)).toBe(merged);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe("retargetLines", () => {
  it("changes the target of a line and nothing else", () => {
    const names = new Map([[parseTopicSlug("a"), parseTopicSlug("a from b")]]);
    expect(retargetLines("x\n- [A](./a.md) — [a](a.md)\n- [B](b.md)\n", names)).toBe(
      "x\n- [A](a%20from%20b.md) — [a](a.md)\n- [B](b.md)\n",
    );
  });
});

describe("removeAddedLines", () => {
  it("removes the lines that a change added and keeps later ones", () => {
    const texts = { before: "# Mine\n", after: "# Mine\n\n- [A](a.md) — x\nTheirs.\n" };
    expect(removeAddedLines("# Mine\n\n- [A](a.md) — x\nTheirs.\nLater.\n", texts)).toBe(
      "# Mine\n\nLater.\n",
    );
  });
});

import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { newIndex } from "../../src/index-file/edit-index.ts";
import { parseIndexLines } from "../../src/index-file/index-lines.ts";
import { mergeIndex, retargetLines, removeAddedLines } from "../../src/index-file/merge-index.ts";
import { parseTopicSlug } from "../../src/topics/slug.ts";

const everything = (): boolean => true;

describe("mergeIndex", () => {
  it("adds lines behind the last line, the rest at the end, and takes nothing out", () => {
    const own = "# Mine\n\n- [a](a.md) — project: x\n\nBye.\n";
    const other = "# Theirs\n\n- [A](a.md) — hook\n- [B](b.md) — hook\n\nHello.\n";
    expect(mergeIndex(own, other, everything)).toBe(
      "# Mine\n\n- [a](a.md) — project: x\n- [B](b.md) — hook\n\nBye.\n\n# Theirs\n\nHello.\n",
    );
  });

  it("has the head of a new index once", () => {
    const own = `${newIndex()}\n- [a](a.md) — project: x\n`;
    const merged = mergeIndex(own, `${newIndex()}\nHello.\n`, everything);
    expect(merged).toBe(`${own}\nHello.\n`);
  });

  it("leaves lines out whose topic is not there", () => {
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

  it("keeps every line of both, and comes to an end", () => {
    fc.assert(
      fc.property(texts, texts, (own, other) => {
        const merged = mergeIndex(own, other, everything);
        const rest = merged.split("\n");
        for (const line of own.split("\n")) expect(rest).toContain(line);
        // An end of a comment may hide lines that were seen before: they are added once more, and then no more.
        const again = mergeIndex(merged, other, everything);
        expect(mergeIndex(again, other, everything)).toBe(again);
        for (const line of other.split("\n").filter((each) => !each.includes("](")))
          expect(rest).toContain(line);
      }),
      { numRuns: 2_000 },
    );
  });

  it("has a line for every topic of both, where nothing is hidden", () => {
    const plain = texts.filter((text) => !/```|<!--|-->/.test(text));
    fc.assert(
      fc.property(plain, plain, (own, other) => {
        const merged = mergeIndex(own, other, everything);
        const slugs = (text: string): readonly string[] => parseIndexLines(text).map(({ slug }) => slug);
        const wanted = new Set([...slugs(own), ...slugs(other)]);
        expect(new Set(slugs(merged))).toEqual(wanted);
        expect(mergeIndex(merged, other, everything)).toBe(merged);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe("retargetLines", () => {
  it("changes where a line leads, and nothing else", () => {
    const names = new Map([[parseTopicSlug("a"), parseTopicSlug("a from b")]]);
    expect(retargetLines("x\n- [A](./a.md) — [a](a.md)\n- [B](b.md)\n", names)).toBe(
      "x\n- [A](a%20from%20b.md) — [a](a.md)\n- [B](b.md)\n",
    );
  });
});

describe("takeOutLines", () => {
  it("takes out what a change added, and leaves what came since", () => {
    const texts = { before: "# Mine\n", after: "# Mine\n\n- [A](a.md) — x\nTheirs.\n" };
    expect(removeAddedLines("# Mine\n\n- [A](a.md) — x\nTheirs.\nLater.\n", texts)).toBe(
      "# Mine\n\nLater.\n",
    );
  });
});

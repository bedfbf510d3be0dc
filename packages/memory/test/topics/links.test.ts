import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { linkedSlugs, renameLinks } from "../../src/topics/links.ts";

describe("linkedSlugs", () => {
  it.for([
    ["See [[a]] and [[b c]].", ["a", "b c"]],
    ["[[a]] [[a]] [[A]]", ["a", "A"]],
    ["[[ a ]] [[a|shown]] [[a#part]] [[a#part|shown]]", ["a"]],
    ["[[]] [[a] [a]] [a] [[a\nb]]", []],
    ["[[[a]]]", ["a"]],
    ["[[日本語]][[größe]]", ["日本語", "größe"]],
    ["[[../x]]", ["../x"]],
    [`[[${"x".repeat(201)}]]`, []],
    ["no links", []],
  ] as const)("finds in %j the links %j", ([body, slugs]) => {
    expect(linkedSlugs(body)).toEqual(slugs);
  });

  it("finds links in a long body made of brackets", () => {
    for (const unit of ["[", "[[a", "[[a]", "]]", "[[|#"]) {
      expect(linkedSlugs(unit.repeat(262_144 / unit.length))).toEqual([]);
    }
  });
});

describe("renameLinks", () => {
  it.for([
    ["See [[old]].", "See [[new]]."],
    ["[[old]] [[OLD]] [[other]]", "[[new]] [[new]] [[other]]"],
    ["[[old|shown old]] [[old#old]]", "[[new|shown old]] [[new#old]]"],
    ["[[ old ]]", "[[ new ]]"],
    ["[[older]] [[cold]] old [old] [[old", "[[older]] [[cold]] old [old] [[old"],
    ["[[\u00F6ld]]", "[[\u00F6ld]]"],
  ] as const)("renames old to new in %j, giving %j", ([text, expected]) => {
    expect(renameLinks(text, "old", "new")).toBe(expected);
  });

  it("inserts a new name literally, even one with replacement patterns", () => {
    expect(renameLinks("[[old]]", "old", "$& $1 $$")).toBe("[[$& $1 $$]]");
    expect(renameLinks("[[e\u0301]]", "\u00E9", "new")).toBe("[[new]]");
  });

  it("updates every link to the old name and no other link", () => {
    const piece = fc.constantFrom("[[", "]]", "old", "Old", "b", "|", "#", " ", "\n", "[", "]");
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const text = pieces.join("");
        const isOld = (slug: string): boolean => slug.toLowerCase() === "old";
        const renamed = renameLinks(text, "old", "new");
        const expected = linkedSlugs(text).map((slug) => (isOld(slug) ? "new" : slug));
        expect(linkedSlugs(renamed)).toEqual([...new Set(expected)]);
        expect(renameLinks(renamed, "old", "new")).toBe(renamed);
      }),
      { numRuns: 5_000 },
    );
  });
});

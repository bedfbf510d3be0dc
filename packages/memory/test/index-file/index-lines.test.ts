import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { commentedPart, parseIndexLines } from "../../src/index-file/index-lines.ts";
import { stripComments } from "../../src/markdown/comments.ts";
import { scanMarkdown } from "../../src/markdown/regions.ts";
import { slugsIn } from "./hostile-texts.ts";
import { PIECES } from "./markdown-pieces.ts";

describe("parseIndexLines", () => {
  it.for([
    ["- [a](a.md)", ["a"]],
    ["* [a](a.md) words", ["a"]],
    ["+ [any label](a.md)", ["a"]],
    ["1. [a](a.md)", ["a"]],
    ["12) [a](a.md)", ["a"]],
    ["  - [a](a.md)", ["a"]],
    ["- **[a](a.md)** words", ["a"]],
    ["- [a](./a.md)", ["a"]],
    ["- [a](<a b.md>)", ["a b"]],
    ["- [a](a%20b.md)", ["a b"]],
    ["- [a](<50% off.md>)", ["50% off"]],
    ["- [a](%E0%A4%A.md)", ["%E0%A4%A"]],
    [String.raw`- [a\]b](a.md)`, ["a"]],
    ["- a [a](a.md)", []],
    ["[a](a.md)", []],
    ["-[a](a.md)", []],
    ["- [a](a.txt)", []],
    ["- [a](https://x.y/a.md)", []],
    ["- [a](../a.md)", []],
    ["- [a](%2e%2e%2fa.md)", []],
    ["- [a](dir/a.md)", []],
    ["- [a](MEMORY.md)", []],
    ["- [a](.hidden.md)", []],
    ["- [a](a.md", []],
    ["- [a]\n(a.md)", []],
    ["<!-- c -->\n- [a](a.md)", ["a"]],
    ["<!--\n- [a](a.md)\n-->", []],
    ["<!--\n- [a](a.md)", ["a"]],
    ["<!-- - [a](a.md)\n- [b](b.md) -->\n- [c](c.md)", ["c"]],
    ["```\n- [a](a.md)\n```\n- [b](b.md)", ["b"]],
    ["~~~ md\n- [a](a.md)\n~~~", []],
    ["> ```\n> - [a](a.md)\n- [b](b.md)", ["b"]],
    ["`<!--`\n- [a](a.md)\n`-->`", ["a"]],
    ["<!--\n\n-->```\n- [a](a.md)", []],
    ["`\n- [a](a.md)\n`", ["a"]],
  ] as const)("parses %j as lines of the topics %j", ([text, slugs]) => {
    expect(slugsIn(`${text}\n`)).toEqual(slugs);
  });

  it("finds the same lines as a scan of the whole text", () => {
    fc.assert(
      fc.property(fc.array(PIECES, { maxLength: 10 }), (parts) => {
        const text = parts.join("");
        const { code, comments } = scanMarkdown(text);
        const hidden = [...comments, ...code.filter(({ kind }) => kind === "fenced")];
        const starts = [...text.matchAll(/^[ \t]*- \[a\]\(a\.md\)/gm)].map(({ index }) => index);
        expect(parseIndexLines(text).map(({ start }) => start)).toEqual(
          starts.filter((at) => !hidden.some(({ start, end }) => start <= at && at < end)),
        );
      }),
      { numRuns: 20_000 },
    );
  });

  it.for([
    ["- [\n", 0],
    ["- [a](\n", 0],
    ["- [a](a.md)\n", 174_762],
    ["- [<!--\n", 0],
    ["-->\n", 0],
    ["<!--\n", 0],
    ["```\n", 0],
    ["- ", 0],
    ["\\`", 0],
  ] as const)("parses two megabytes of %j without quadratic work", ([unit, count]) => {
    const text = unit.repeat(2_097_152 / unit.length);
    // Quadratic work would exceed the time limit of a test.
    expect(parseIndexLines(text)).toHaveLength(count);
  });
});

describe("commentedPart", () => {
  it("finds the same comments as a scan of the whole text", () => {
    fc.assert(
      fc.property(fc.array(PIECES, { maxLength: 10 }), (parts) => {
        const text = parts.join("");
        fc.pre(!/(?:^|-->)[ \t>]*```/m.test(text));
        const commented = commentedPart(text);
        expect(stripComments(commented).text + text.slice(commented.length)).toBe(
          stripComments(text).text,
        );
      }),
      { numRuns: 10_000 },
    );
  });
});

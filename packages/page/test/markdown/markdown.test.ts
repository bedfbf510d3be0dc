import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type MarkdownBlock, parseBlocks } from "../../src/markdown/parse-blocks.ts";
import { parseInline } from "../../src/markdown/parse-inline.ts";

describe("parseInline", () => {
  it.for([
    ["a `b` c", ["text", "code", "text"]],
    ["**b** and *e*", ["strong", "text", "emphasis"]],
    ["[[ports]]", ["topic"]],
    ["[site](https://example.com/a)", ["link"]],
    ["see https://example.com.", ["text", "link"]],
    ["[x](javascript:alert(1))", ["text"]],
    ["[x](data:text/html,hi)", ["text"]],
    ["[x](//example.com)", ["text"]],
    ["![x](https://example.com/x.png)", ["text"]],
    ["<img src=x onerror=alert(1)>", ["text"]],
  ] as const)("parses %s", ([line, kinds]) => {
    const joined = parseInline(line).map(({ kind }) => kind);
    expect(joined.filter((kind, at) => kind !== joined[at - 1])).toEqual(kinds);
  });

  it("makes a link of a web address only, and keeps every character of a line without marks", () => {
    const piece = fc.constantFrom(
      "[a](",
      "javascript:",
      "https://x",
      ")",
      "`",
      "*",
      "[[",
      "]]",
      "!",
      "<b>",
      " ",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const line = pieces.join("");
        const found = parseInline(line);
        const addresses = found.flatMap((each) => (each.kind === "link" ? [each.address] : []));
        expect(addresses.filter((address) => !/^https?:\/\//.test(address))).toEqual([]);
        expect(found.filter(({ text }) => !line.includes(text))).toEqual([]);
      }),
    );
  });

  it("shows a line that is too long for marks as it is", () => {
    const line = "*a*".repeat(2_000);
    expect(parseInline(line)).toEqual([{ kind: "text", text: line }]);
  });
});

describe("parseBlocks", () => {
  it("parses the blocks of a topic", () => {
    const text =
      "# Deploy\n\nOne\ntwo\n\n- a\n  1. b\n\n> quoted\n\n---\n\n```sh\nrm <b>\n```\nend";
    expect(parseBlocks(text).map(({ kind }) => kind)).toEqual([
      "heading",
      "paragraph",
      "list",
      "quote",
      "rule",
      "code",
      "paragraph",
    ]);
  });

  it("ends a fence that is never closed at the end of the text", () => {
    expect(parseBlocks("```\na\n")).toEqual([{ kind: "code", text: "a\n" }]);
  });

  it("shows the words of every line", () => {
    const line = fc.constantFrom(
      "# w",
      "w",
      "- w",
      "> w",
      "```",
      "",
      "---",
      "<w>",
      "1. w",
      "    w",
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 8 }), (lines) => {
        const words = (text: string): number => text.split("w").length;
        expect(words(parseBlocks(lines.join("\n")).map(textOf).join(" "))).toBe(
          words(lines.join(" ")),
        );
      }),
    );
  });
});

function textOf(block: MarkdownBlock): string {
  if (block.kind === "code") return block.text;
  if (block.kind === "rule") return "";
  if (block.kind === "list")
    return block.items.map(({ line }) => line.map(({ text }) => text).join("")).join(" ");
  const lines = block.kind === "heading" ? [block.line] : block.lines;
  return lines.map((pieces) => pieces.map(({ text }) => text).join("")).join(" ");
}

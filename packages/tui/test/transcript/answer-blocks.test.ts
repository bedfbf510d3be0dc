import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { answerBlocks } from "../../src/transcript/answer-blocks.ts";

describe("the blocks of an answer", () => {
  it.each([
    ["paragraphs", "one\ntwo\n\nthree", ["one\ntwo", "three"]],
    ["a blank line in code", "```\na\n\nb\n```\n\nc", ["```\na\n\nb\n```", "c"]],
    ["a shorter fence in code", "````\n```\n\nb\n````\n\nc", ["````\n```\n\nb\n````", "c"]],
    [
      "a list with blank lines",
      "Intro\n\n- a\n\n- b\n\n  more\n\nend",
      ["Intro", "- a\n\n- b\n\n  more", "end"],
    ],
    [
      "a link defined later",
      "[a][x]\n\n[x]: https://example.com",
      ["[a][x]\n\n[x]: https://example.com"],
    ],
  ])("keeps %s together", (_, text, blocks) => {
    expect(answerBlocks(text)).toEqual(blocks);
  });

  it("changes only the last two when more text arrives, and drops nothing but blank lines", () => {
    const line = fc.constantFrom(
      "",
      "text",
      "- item",
      "  more",
      "```",
      "| a | b |",
      "1. one",
      "# top",
    );
    const texts = fc.array(line, { maxLength: 12 }).map((lines) => lines.join("\n"));
    fc.assert(
      fc.property(texts, texts, (text, more) => {
        const before = answerBlocks(text);
        const after = answerBlocks(text + more);
        expect(after.slice(0, Math.max(0, before.length - 2))).toEqual(before.slice(0, -2));
        expect(before.join("\n").replaceAll(/\s+/g, " ").trim()).toBe(
          text.replaceAll(/\s+/g, " ").trim(),
        );
      }),
    );
  });
});

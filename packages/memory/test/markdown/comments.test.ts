import { expect, it } from "vitest";
import { stripComments } from "../../src/markdown/comments.ts";

it.for([
  ["a <!-- b --> c\n", "a  c\n"],
  ["a\n<!-- b -->\nc\n", "a\nc\n"],
  ["a\n  <!-- b\n\nc -->  \nd\n", "a\nd\n"],
  ["<!-- a --> b\n", " b\n"],
  ["<!-- a --><!-- b -->\nc\n", "c\n"],
  ["```\n<!-- kept -->\n```\n", "```\n<!-- kept -->\n```\n"],
  ["    <!-- kept -->\n", "    <!-- kept -->\n"],
  ["use `<!-- kept -->`\n", "use `<!-- kept -->`\n"],
  ["<!--> a\n", " a\n"],
  ["é <!-- 日本 --> 🙂\n", "é  🙂\n"],
  ["no comment", "no comment"],
] as const)("turns %j into %j without its comments", ([text, expected]) => {
  expect(stripComments(text)).toEqual({ text: expected, openCommentLine: undefined });
});

it("keeps a comment that is never closed and reports its line", () => {
  expect(stripComments("a\nb <!-- c\nd\n")).toEqual({
    text: "a\nb <!-- c\nd\n",
    openCommentLine: 2,
  });
});

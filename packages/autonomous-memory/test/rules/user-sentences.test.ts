import { describe, expect, it } from "vitest";
import { userSentences } from "../../src/rules/user-statements.ts";

describe("userSentences", () => {
  it.for([
    ["two on a line", "Use pnpm. Never npm!", ["Use pnpm.", "Never npm!"]],
    ["one a line", "use pnpm\nnever npm", ["use pnpm", "never npm"]],
    [
      "one over two lines",
      "Always write the tests before the code that they are the tests\nof. Then commit.",
      ["Always write the tests before the code that they are the tests of.", "Then commit."],
    ],
    [
      "items of a list",
      "- one thing\n* two things\n3. three things",
      ["one thing", "two things", "three things"],
    ],
    ["abbreviations", "Use a map, e.g. for names. Done.", ["Use a map, e.g. for names.", "Done."]],
    [
      "code within a sentence",
      "Always run `pnpm -r exec tsc --noEmit`.",
      ["Always run `pnpm -r exec tsc --noEmit`."],
    ],
  ] as const)("finds %s", ([, text, sentences]) => {
    expect(userSentences(text)).toEqual(sentences);
  });

  it.for([
    ["a fence", "```\nAlways use npm.\n```"],
    ["a fence that does not end", "~~~\nAlways use npm."],
    ["code by its indent", "    Always use npm."],
    ["a quotation", "> Always use npm."],
    ["a line in quotes", '"Always use npm."'],
    ["a line in curly quotes", "“Always use npm.”"],
    ["a heading", "# Always use npm"],
    ["a table", "| Always | use npm |"],
    ["a log with times", "2026-11-02T10:00:00Z Always use npm."],
    ["a log with levels", "ERROR Always use npm."],
    ["a stack", "  at always (use/npm.js:1:2)"],
    ["an error", "TypeError: Always use npm."],
    ["a prompt of a shell", "$ always use npm"],
    ["a path", "/usr/lib/node_modules/npm/bin/npm-cli.js:12:34"],
  ] as const)("ignores %s", ([, text]) => {
    expect(userSentences(text)).toEqual([]);
    expect(userSentences(`Look:\n\n${text}`)).toEqual(["Look:"]);
  });

  it("reads both ends of a long text and ignores the pasted middle", () => {
    const pasted = Array.from(
      { length: 200 },
      (_, at) => `Pasted words number ${"x".repeat(at % 9)}`,
    );
    const sentences = userSentences(
      ["Always read this.", ...pasted, "Never forget it."].join("\n"),
    );
    expect(sentences[0]).toBe("Always read this.");
    expect(sentences.at(-1)).toBe("Never forget it.");
    expect(sentences).toHaveLength(40);
  });
});

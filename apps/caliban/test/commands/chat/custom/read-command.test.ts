import { parseFrontMatter } from "@caliban/common/front-matter";
import { describe, expect, it } from "vitest";
import {
  type ReadCommand,
  readCommand,
} from "../../../../src/commands/chat/custom/read-command.ts";

const SOURCE = {
  name: "review",
  origin: "workspace",
  source: ".claude/commands/review.md",
} as const;

async function read(text: string): Promise<ReadCommand> {
  return await readCommand(text, SOURCE, async () => parseFrontMatter);
}

describe("the text of a command", () => {
  it.each([
    ["Review it.", { description: "Review it.", body: "Review it.\n" }],
    ["# Review\n\nAll of it", { description: "Review", body: "# Review\n\nAll of it\n" }],
    ["---\ndescription: Reviews a file\n---\n\nReview $1\n", { description: "Reviews a file" }],
    ["---\nargument-hint: [file] [line: 3]\n---\nx", { argumentHint: "[file] [line: 3]" }],
    ["---\nargument-hint: |\n  [file]\n---\nx", { argumentHint: "[file]" }],
    ['---\ndescription: "a: b"\r\nother:\n  - 1\n---\r\nx', { description: "a: b" }],
    [
      "---\nallowed-tools: Bash(git add:*), Bash(git status:*)\nmodel: opus\n---\nx",
      { ignoredKeys: ["allowed-tools", "model"] },
    ],
    ["---\ndescription: a\u001B[2Jb\u202Ec\n---\nx", { description: "a\\u{1b}[2Jb\\u{202e}c" }],
  ])("reads %j", async (text, expected) => {
    expect(await read(text)).toMatchObject({ kind: "command", command: expected });
  });

  it.each([
    ["---\ndescription: a\nno key\n---\nx", "BROKEN_HEADER", 3],
    ["---\ndescription: a\n", "BROKEN_HEADER", 1],
    ["---\nmodel: x\ndescription:\n  a: b\n---\nx", "INVALID_FIELD", 3],
    ["---\ndescription: a\n---\n\n", "EMPTY_BODY", 4],
    ["a\nb\0", "NOT_TEXT", 2],
    [`---\ndescription: a\n---\n${"x".repeat(70_000)}`, "TOO_LARGE", 4],
  ])("reports what is wrong with %j, and where", async (text, code, line) => {
    expect(await read(text)).toMatchObject({ kind: "problem", code, line });
  });
});

import { describe, expect, it } from "vitest";
import { parseSlash } from "../../src/input/parse-slash.ts";

const COMMANDS = [
  { name: "help" },
  { name: "quit", aliases: ["exit"] },
  { name: "memory" },
  { name: "remember" },
  { name: "compact" },
];

function read(line: string): unknown {
  const parsed = parseSlash(line, COMMANDS);
  return parsed?.kind === "command" ? [parsed.row.name, ...parsed.words] : parsed;
}

describe("a slash line", () => {
  it.each([
    ["/help", ["help"]],
    ["  /help  ", ["help"]],
    ["/HELP", ["help"]],
    ["/exit", ["quit"]],
    ["/memory show a-slug", ["memory", "show", "a-slug"]],
    ['/memory search "two words" other', ["memory", "search", "two words", "other"]],
    ["/remember we don't ship on Fridays", ["remember", "we", "don't", "ship", "on", "Fridays"]],
    ["/compact keep\nthe ports", ["compact", "keep", "the", "ports"]],
    ["/memroy", { kind: "unknown", name: "memroy", suggestion: "memory", rest: "", words: [] }],
    [
      '/review "a b" c',
      {
        kind: "unknown",
        name: "review",
        suggestion: undefined,
        rest: '"a b" c',
        words: ["a b", "c"],
      },
    ],
    ["/usr/bin/env is missing", undefined],
    ["/", { kind: "unknown", name: "", suggestion: undefined, rest: "", words: [] }],
    [" // ", { kind: "unknown", name: "", suggestion: undefined, rest: "", words: [] }],
    ["// a comment", undefined],
    ["words", undefined],
  ])("parses the line %j", (line, expected) => {
    expect(read(line)).toEqual(expected);
  });

  it("keeps the text after the name as typed", () => {
    const parsed = parseSlash('/remember  "a"   b ', COMMANDS);
    expect(parsed).toMatchObject({ rest: '"a"   b' });
  });
});

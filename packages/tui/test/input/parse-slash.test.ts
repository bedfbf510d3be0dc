import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseSlash, splitArguments } from "../../src/input/parse-slash.ts";

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
    ["/memroy", { kind: "unknown", name: "memroy", suggestion: "memory" }],
    ["/xyzzy", { kind: "unknown", name: "xyzzy", suggestion: undefined }],
    ["/usr/bin/env is missing", undefined],
    ["/", { kind: "unknown", name: "", suggestion: undefined }],
    [" // ", { kind: "unknown", name: "", suggestion: undefined }],
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

describe("words", () => {
  it.each([
    ["", []],
    ["  a  b ", ["a", "b"]],
    ["'a b' c", ["a b", "c"]],
    ['--description="two words"', ["--description=two words"]],
    ['"" x', ["", "x"]],
    ['"not closed', ["not closed"]],
    ["it's fine", ["it's", "fine"]],
  ])("splits %j into words", (text, words) => {
    expect(splitArguments(text)).toEqual(words);
  });

  it("returns quoted words unchanged", () => {
    const word = fc.string({ unit: fc.constantFrom("a", " ", "'", "\t", "$", "\\"), maxLength: 5 });
    fc.assert(
      fc.property(fc.array(word, { maxLength: 4 }), (words) => {
        const text = words.map((each) => `"${each}"`).join(" ");
        expect(splitArguments(text)).toEqual(words);
      }),
    );
  });
});

import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { alternativeSlug, toTopicSlug } from "../../src/store/import-names.ts";
import { parseNewTopicSlug, parseTopicSlug } from "../../src/topics/slug.ts";

describe("the name of a file of another program", () => {
  it.for([
    ["deploy", "deploy"],
    ["user_role", "user_role"],
    ["_private (1)", "private -1"],
    ["a/b\\c", "a-b-c"],
    ["..", "note"],
    [".hidden", "hidden"],
    ["Memory", "note-Memory"],
    ["global", "note-global"],
    ["con", "note-con"],
    ["x.md", "x"],
    ["a..b", "a-b"],
    ["", "note"],
    ["\u001B[2J", "2J"],
  ] as const)("%j becomes %j", ([stem, name]) => {
    expect(toTopicSlug(stem)).toBe(name);
  });

  it("is one that may be given, is its own where it may be, and is the same each time", () => {
    const characters = fc.constantFrom(
      ...Array.from("aZ9 ._-/\\:*é😀\0\n中"),
      "con",
      "memory",
      ".md",
      "ä".repeat(40),
    );
    const stems = fc.array(characters, { maxLength: 5 }).map((parts) => parts.join(""));
    fc.assert(
      fc.property(stems, fc.constantFrom(1, 2, 13), (stem, attempt) => {
        const name = toTopicSlug(stem);
        expect(parseNewTopicSlug(name)).toBe(name);
        expect(toTopicSlug(name)).toBe(name);
        const beside = alternativeSlug(name, "claude", attempt);
        expect(parseNewTopicSlug(beside)).toBe(beside);
        expect(beside).not.toBe(name);
      }),
      { numRuns: 2_000 },
    );
  });

  it("beside another one says where it is from", () => {
    expect(alternativeSlug(parseTopicSlug("deploy"), "claude", 1)).toBe("deploy-from-claude");
    expect(alternativeSlug(parseTopicSlug("deploy"), "claude", 2)).toBe("deploy-from-claude-2");
  });
});

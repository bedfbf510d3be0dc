import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { alternativeSlug, toTopicSlug } from "../../src/store/import-names.ts";
import { parseNewTopicSlug, parseTopicSlug } from "../../src/topics/slug.ts";

describe("names of imported files", () => {
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
  ] as const)("imports a file named %j as the topic %j", ([stem, name]) => {
    expect(toTopicSlug(stem)).toBe(name);
  });

  it("turns any file name into a valid topic name, and keeps a valid one", () => {
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
        const alternative = alternativeSlug(name, "claude", attempt);
        expect(parseNewTopicSlug(alternative)).toBe(alternative);
        expect(alternative).not.toBe(name);
      }),
      { numRuns: 2_000 },
    );
  });

  it("adds the name of the other program to a name that is taken", () => {
    expect(alternativeSlug(parseTopicSlug("deploy"), "claude", 1)).toBe("deploy-from-claude");
    expect(alternativeSlug(parseTopicSlug("deploy"), "claude", 2)).toBe("deploy-from-claude-2");
  });
});

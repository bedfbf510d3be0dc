import { expect, it } from "vitest";
import { compileExcludes } from "../../src/prompt/excludes.ts";

it.for([
  [["CLAUDE.md"], "CLAUDE.md", true],
  [["CLAUDE.md"], "docs/CLAUDE.md", true],
  [["/CLAUDE.md"], "docs/CLAUDE.md", false],
  [["*.md", "!CLAUDE.md"], "CLAUDE.md", false],
  [["!CLAUDE.md", "*.md"], "CLAUDE.md", true],
  [["# a comment"], "CLAUDE.md", false],
  [["claude.md"], "CLAUDE.md", false],
] as const)(
  "decides with the patterns %j that %j is excluded: %j",
  ([patterns, path, expected]) => {
    expect(compileExcludes(patterns, { ignoreCase: false })(path)).toBe(expected);
  },
);

it("ignores case if asked to", () => {
  expect(compileExcludes(["claude.md"], { ignoreCase: true })("CLAUDE.md")).toBe(true);
});

it.for(["a".repeat(257), "a*".repeat(9)])(
  "rejects a pattern that could take forever to match (%#)",
  (pattern) => {
    expect(() => compileExcludes([pattern], { ignoreCase: false })).toThrowError(
      expect.objectContaining({ code: "INVALID_SETTINGS" }),
    );
  },
);

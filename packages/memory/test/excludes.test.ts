import { expect, it } from "vitest";
import { compileExcludes } from "../src/excludes.ts";

it.for([
  [["CLAUDE.md"], "CLAUDE.md", true],
  [["CLAUDE.md"], "docs/CLAUDE.md", true],
  [["/CLAUDE.md"], "docs/CLAUDE.md", false],
  [["*.md", "!CLAUDE.md"], "CLAUDE.md", false],
  [["!CLAUDE.md", "*.md"], "CLAUDE.md", true],
  [["# a comment"], "CLAUDE.md", false],
] as const)("by %j finds %j to be excluded: %j", ([patterns, path, expected]) => {
  expect(compileExcludes(patterns)(path)).toBe(expected);
});

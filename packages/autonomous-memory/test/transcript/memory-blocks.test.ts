import { describe, expect, it } from "vitest";
import { OWN_TAGS } from "../../../memory/src/prompt/tier.ts";
import { removeMemoryBlocks } from "../../src/transcript/memory-blocks.ts";

describe("removeMemoryBlocks", () => {
  it.for(OWN_TAGS)("removes the content of <%s>", (tag) => {
    const text = `before\n<${tag} path="x">\nremember this\n</${tag}>\nafter`;
    expect(removeMemoryBlocks(text)).toBe("before\n\nafter");
  });

  it.for([
    ["no tag at all: a < b", "no tag at all: a < b"],
    ["a<SYSTEM-REMINDER>x</System-Reminder >b", "ab"],
    ["a<skill>x<skill>y</skill>z</skill>b", "ab"],
    ["a<skill>x<project-rule>y</skill>z</project-rule>b", "az</project-rule>b"],
    ["a<skill>1</skill>b<skill>2</skill>c", "abc"],
    ["what does <project-rule> mean?", "what does <project-rule> mean?"],
    ["an end alone </project-rule> stays", "an end alone </project-rule> stays"],
    ["<skillful>stays</skillful>", "<skillful>stays</skillful>"],
    [
      "# AGENTS.md instructions for /a/b\n\n<INSTRUCTIONS>\nuse tabs\n</INSTRUCTIONS>\nhello",
      "\nhello",
    ],
    ["my <INSTRUCTIONS>stay</INSTRUCTIONS>", "my <INSTRUCTIONS>stay</INSTRUCTIONS>"],
    ["src/a.ts:1:x\n./CLAUDE.md:12: use pnpm\ndocs/AGENTS.md-13-or npm\nb", "src/a.ts:1:x\nb"],
    ["see CLAUDE.md:12 for it\nMY-CLAUDE.md:1:x", "see CLAUDE.md:12 for it\nMY-CLAUDE.md:1:x"],
  ] as const)("turns %j into %j", ([text, expected]) => {
    expect(removeMemoryBlocks(text)).toBe(expected);
  });

  it("removes an unclosed or unopened block where the text is truncated", () => {
    const ended = "memory</auto-memory-index>after";
    const begun = "before<auto-memory-index>memory";
    expect(removeMemoryBlocks(ended, { isCutAtStart: true })).toBe("after");
    expect(removeMemoryBlocks(begun, { isCutAtEnd: true })).toBe("before");
    expect(removeMemoryBlocks(`x${ended}`, { isCutAtEnd: true })).toBe(`x${ended}`);
  });

  // In quadratic time, this would take hours.
  it("handles hundreds of thousands of unmatched tags in linear time", { timeout: 60_000 }, () => {
    const hostile = `${"<skill>".repeat(200_000)}${"</project-rule>".repeat(200_000)}`;
    expect(removeMemoryBlocks(hostile)).toBe(hostile);
    const names = "CLAUDE.md".repeat(40_000);
    expect(removeMemoryBlocks(names)).toBe(names);
  });
});

import { describe, expect, it } from "vitest";
import { buildPrefix, type ReadCandidate, type Reading } from "../src/prefix.ts";
import type { TierKind } from "../src/tier.ts";

const reading = (text: string, unreadBytes = 0): Reading => ({
  kind: "text",
  text,
  fileBytes: Buffer.byteLength(text) + unreadBytes,
  unreadBytes,
});
const file = (tier: TierKind, found: Reading): ReadCandidate => ({
  candidate: { tier, path: `/${tier}.md` },
  reading: found,
});
const build = (
  files: readonly ReadCandidate[],
  ceilingTokens = 32_000,
): ReturnType<typeof buildPrefix> =>
  buildPrefix({ workspaceRoot: "/app", files, settings: { ceilingTokens }, notices: [] });

describe("buildPrefix", () => {
  it("is empty without memory, so that the prompt is the default one byte for byte", () => {
    const missing = file("global", { kind: "missing", message: "" });
    const { prefix, receipt } = build([missing, file("project", reading(" \n"))]);
    expect(prefix).toBe("");
    expect(receipt.entries.map(({ status, reason }) => [status, reason])).toEqual([
      ["missing", "ABSENT"],
      ["skipped", "BLANK"],
    ]);
  });

  it("reports what each file costs, and the sum", () => {
    const { prefix, receipt } = build([
      file("global", reading("Be brief.\n")),
      file("auto", reading("- x\n")),
    ]);
    const [first, second] = receipt.entries;
    expect(first).toMatchObject({ status: "loaded", reason: "WHOLE", bytes: 10 });
    expect(receipt.totalTokens).toBe((first?.tokens ?? 0) + (second?.tokens ?? 0));
    expect(receipt.totalTokens * 4).toBeGreaterThanOrEqual(Buffer.byteLength(prefix));
  });

  it.for([
    [{ kind: "not-a-file", message: "it is not a regular file" }, "NOT_A_FILE"],
    [{ kind: "unreadable", message: "permission denied" }, "UNREADABLE"],
  ] as const)("lets %j cost that file only", ([bad, reason]) => {
    const { prefix, receipt } = build([
      file("global", bad),
      file("project", reading("Use pnpm.\n")),
    ]);
    expect(prefix).toContain("Use pnpm.");
    expect(receipt.entries[0]).toMatchObject({ status: "skipped", reason, tokens: 0 });
    expect(receipt.entries[0]?.sentence).toContain(bad.message);
  });

  it("announces what was not read of a file that is too long", () => {
    const { prefix, receipt } = build([file("project", reading("line one\n", 1009))]);
    expect(prefix).toContain("line one\n[truncated: 1009 bytes]\n</project-claude-md>");
    expect(receipt.entries[0]).toMatchObject({ status: "truncated", reason: "OVER_FILE_LIMIT" });
  });

  it("does not call a file empty of which it read only blank lines", () => {
    const { prefix, receipt } = build([file("project", reading("\n\n", 1600))]);
    expect(prefix).toContain("[truncated: 1600 bytes]");
    expect(receipt.entries[0]).toMatchObject({ status: "truncated", reason: "OVER_FILE_LIMIT" });
  });

  it.for([
    ["- line\n".repeat(201), "[truncated: 7 bytes]"],
    [`- ${"x".repeat(997)}\n`.repeat(26), "[truncated: 1000 bytes]"],
  ] as const)("holds the index to 200 lines and 25,600 bytes (%#)", ([text, notice]) => {
    const { prefix, receipt } = build([file("auto", reading(text))]);
    expect(prefix).toContain(notice);
    expect(receipt.entries[0]).toMatchObject({ status: "truncated", reason: "OVER_INDEX_LIMIT" });
  });

  it("says what the budget cut and what it left out", () => {
    const long = reading("0123456\n".repeat(50));
    const { receipt } = build([file("global", long), file("project", long)], 60);
    expect(receipt.entries.map(({ status, reason }) => [status, reason])).toEqual([
      ["truncated", "OVER_BUDGET"],
      ["skipped", "NO_ROOM"],
    ]);
    for (const { sentence } of receipt.entries) {
      expect(sentence).toContain("cap_tokens_combined (60 tokens)");
    }
  });

  it("notes a file that is not UTF-8 and loads it all the same", () => {
    const broken = { ...reading("a\uFFFDb\n"), invalidAt: { line: 1, column: 2 } } as Reading;
    const { prefix, receipt } = build([file("project", broken)]);
    expect(prefix).toContain("a\uFFFDb");
    expect(receipt.notices).toEqual([
      expect.objectContaining({
        code: "INVALID_UTF8",
        sentence: expect.stringContaining("/project.md:1:2: "),
      }),
    ]);
  });

  it("gives the same bytes for the same input", () => {
    const files = [
      file("global", reading("a\n")),
      file("project", reading("b\n")),
      file("auto", reading("c\n")),
    ];
    expect(build(files).prefix).toBe(build(files.toReversed()).prefix);
  });
});

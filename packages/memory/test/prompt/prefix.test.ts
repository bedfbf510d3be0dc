import { describe, expect, it } from "vitest";
import { leftOut, type LoadedFile } from "../../src/prompt/loaded-file.ts";
import { buildPrefix } from "../../src/prompt/prefix.ts";
import type { TierKind } from "../../src/prompt/tier.ts";

const candidateOf = (tier: TierKind): LoadedFile["candidate"] => ({
  tier,
  kind: tier === "auto" ? "index" : "instructions",
  path: `/${tier}.md`,
});
const file = (tier: TierKind, body: string, unreadBytes = 0): LoadedFile => ({
  candidate: candidateOf(tier),
  body,
  fileBytes: Buffer.byteLength(body) + unreadBytes,
  unreadBytes,
  imports: [],
  notices: [],
});
const build = (
  files: readonly LoadedFile[],
  ceilingTokens = 32_000,
): ReturnType<typeof buildPrefix> =>
  buildPrefix({ workspaceRoot: "/app", files, settings: { ceilingTokens }, notices: [] });

describe("buildPrefix", () => {
  it("is empty without memory, so that the prompt is the default one byte for byte", () => {
    const { prefix, receipt } = build([
      leftOut(candidateOf("global"), "EXCLUDED", "x"),
      file("project", " \n"),
    ]);
    expect(prefix).toBe("");
    expect(receipt.entries.map(({ status, reason }) => [status, reason])).toEqual([
      ["skipped", "EXCLUDED"],
      ["skipped", "BLANK"],
    ]);
  });

  it("reports what each file costs, and the sum", () => {
    const { prefix, receipt } = build([file("global", "Be brief.\n"), file("auto", "- x\n")]);
    const [first, second] = receipt.entries;
    expect(first).toMatchObject({ status: "loaded", reason: "WHOLE", bytes: 10 });
    expect(receipt.totalTokens).toBe((first?.tokens ?? 0) + (second?.tokens ?? 0));
    expect(receipt.totalTokens * 4).toBeGreaterThanOrEqual(Buffer.byteLength(prefix));
  });

  it("announces what was not read of a file that is too long", () => {
    const { prefix, receipt } = build([file("project", "line one\n", 1009)]);
    expect(prefix).toContain("line one\n[truncated: 1009 bytes]\n</project-claude-md>");
    expect(receipt.entries[0]).toMatchObject({ status: "truncated", reason: "OVER_FILE_LIMIT" });
  });

  it("does not call a file empty of which it read only blank lines", () => {
    const { prefix, receipt } = build([file("project", "\n\n", 1600)]);
    expect(prefix).toContain("[truncated: 1600 bytes]");
    expect(receipt.entries[0]).toMatchObject({ status: "truncated", reason: "OVER_FILE_LIMIT" });
  });

  it.for([
    ["- line\n".repeat(201), "[truncated: 7 bytes]"],
    [`- ${"x".repeat(997)}\n`.repeat(26), "[truncated: 1000 bytes]"],
  ] as const)("holds the index to 200 lines and 25,600 bytes (%#)", ([text, notice]) => {
    const { prefix, receipt } = build([file("auto", text)]);
    expect(prefix).toContain(notice);
    expect(receipt.entries[0]).toMatchObject({ status: "truncated", reason: "OVER_INDEX_LIMIT" });
  });

  it("says what the budget cut and what it left out, and which cap it was", () => {
    const long = "0123456\n".repeat(50);
    const { receipt } = build([file("global", long), file("project", long)], 60);
    expect(receipt.entries.map(({ status, reason }) => [status, reason])).toEqual([
      ["truncated", "OVER_BUDGET"],
      ["skipped", "NO_ROOM"],
    ]);
    for (const { message: sentence } of receipt.entries) {
      expect(sentence).toContain("cap_tokens_combined (60 tokens)");
    }
  });

  it("gives the same bytes whatever order the files come in", () => {
    const files = [file("global", "a\n"), file("project", "b\n"), file("auto", "c\n")];
    expect(build(files).prefix).toBe(build(files.toReversed()).prefix);
  });
});

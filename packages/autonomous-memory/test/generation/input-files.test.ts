import { utf8Bytes } from "@caliban/common";
import { describe, expect, it } from "vitest";
import { renderInputFiles } from "../../src/generation/input-files.ts";
import type { StoredExtraction } from "../../src/extraction/extraction.ts";
import { extraction } from "../node/generations/new-generation.ts";

const sessions = (count: number, part: Partial<StoredExtraction>): readonly StoredExtraction[] =>
  Array.from({ length: count }, (_, index) =>
    extraction({ threadId: `s${index}`, updatedAtMs: index, ...part }),
  );
const rawOf = (extractions: readonly StoredExtraction[]): string =>
  renderInputFiles(extractions)[0]?.content ?? "";

describe("renderInputFiles", () => {
  it("keeps the newest that fit into 2 MiB, and counts the others", () => {
    const text = rawOf(sessions(100, { rawMemory: `- ${"é".repeat(16_000)}` }));
    expect(utf8Bytes(text)).toBeLessThanOrEqual(2 * 1024 * 1024);
    expect(text).toMatch(/^# What each session left, newest first\n\n## Session s99 /);
    expect(text).toMatch(/\n\(35 older sessions are not shown here\.\)\n$/);
    expect(text.split("\n## Session ")).toHaveLength(66);
  });

  it("reports a single session that is too long", () => {
    const text = rawOf(sessions(1, { rawMemory: "x".repeat(3 * 1024 * 1024) }));
    expect(text).toBe(
      "# What each session left, newest first\n\n(1 older session is not shown here.)\n",
    );
  });

  it("keeps at most a thousand summaries", () => {
    const files = renderInputFiles(sessions(1_100, { rolloutSummary: "Done." }));
    expect(files).toHaveLength(1 + 1_000);
    expect(files[1]?.path).toBe("rollout_summaries/s1099-session.md");
  });
});

import { describe, expect, it } from "vitest";
import type { Message } from "../../src/message.ts";
import { plainSummary } from "../../src/prompt/plain-summary.ts";

describe("plainSummary", () => {
  it("lists what the user said, the tools and the last answer", () => {
    expect(
      plainSummary([
        { role: "user", text: "remember\nthis" },
        {
          role: "assistant",
          model: "a/one",
          parts: [{ type: "tool-call", id: "1", name: "Read", input: {} }],
        },
        { role: "tool", results: [{ id: "1", name: "Read", text: "x", isError: false }] },
        { role: "assistant", model: "a/one", parts: [{ type: "text", text: "yes." }] },
      ]),
    ).toBe("## What the user said\n- remember this\n## Tools used\nRead\n## The last answer\nyes.");
  });

  it("limits the length of a summary without splitting a character", () => {
    const many = Array.from({ length: 500 }, (): Message => ({
      role: "user",
      text: "😀".repeat(999),
    }));
    const summary = plainSummary(many);
    expect(summary.length).toBeLessThan(15_000);
    expect(summary.isWellFormed()).toBe(true);
  });
});

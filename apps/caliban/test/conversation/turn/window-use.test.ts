import type { Message, Usage } from "@caliban/agent-core";
import type { ReceiptEntry } from "@caliban/memory";
import { describe, expect, it } from "vitest";
import { plainSummary } from "../../../../../packages/agent-core/src/prompt/plain-summary.ts";
import { usedTokens, windowParts } from "../../../src/conversation/turn/window-use.ts";

const FIXED = {
  prompt: {
    sections: [
      { name: "memory", text: "m".repeat(400) },
      { name: "identity", text: "i".repeat(40) },
      { name: "skills", text: "s".repeat(80) },
    ],
    text: "m".repeat(400) + "i".repeat(40) + "s".repeat(80),
  },
  tools: [
    {
      name: "Read",
      description: "r".repeat(34),
      permission: "fs.read",
      isReadOnly: true,
      inputSchema: {},
      run: async () => ({ text: "" }),
    },
  ],
} as const;

function entry(tier: "global" | "project", tokens: number): ReceiptEntry {
  const rest = { kind: "instructions", path: "/x", bytes: 1, sentence: "" } as const;
  return { tier, tokens, status: "loaded", reason: "WHOLE", ...rest };
}

const RECEIPT = {
  workspaceRoot: "/app",
  notices: [],
  totalTokens: 100,
  ceilingTokens: 32_000,
  entries: [
    entry("global", 30),
    entry("project", 60),
    // A part of the one before.
    { ...entry("project", 25), kind: "import", importedBy: "/x" },
    entry("project", 10),
  ],
} as const;

const usage = (inputTokens: number): Usage => ({
  inputTokens,
  outputTokens: 5,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
});

const said = (tokens?: number): Message => ({
  role: "assistant",
  model: "a/one",
  parts: [{ type: "text", text: "yes." }],
  ...(tokens === undefined ? {} : { usage: usage(tokens) }),
});

describe("what fills the window", () => {
  it("is told part by part, and nothing of what is not there", () => {
    expect(windowParts(FIXED, RECEIPT, [{ role: "user", text: "a".repeat(8) }])).toEqual([
      { name: "global memory", tokens: 30 },
      { name: "project memory", tokens: 70 },
      { name: "skills", tokens: 20 },
      { name: "system prompt", tokens: 10 },
      { name: "tools", tokens: 10 },
      { name: "conversation", tokens: 2 },
    ]);
  });

  it("is estimated until a provider has counted it", () => {
    expect(usedTokens(FIXED, [{ role: "user", text: "a".repeat(8) }])).toBe(130 + 10 + 2);
  });

  it("is what the provider counted last, and by estimate what came since", () => {
    const messages: readonly Message[] = [
      { role: "user", text: "a" },
      said(1000),
      { role: "user", text: "b".repeat(40) },
    ];
    expect(usedTokens(FIXED, messages)).toBe(1000 + 5 + 10);
  });

  it("is estimated where the provider does not count", () => {
    expect(usedTokens(FIXED, [{ role: "user", text: "a" }, said(0)])).toBe(130 + 10 + 1 + 1);
  });
});

describe("a summary without a model", () => {
  it("has what the person said, the tools and the last answer", () => {
    expect(
      plainSummary([
        { role: "user", text: "remember\nthis" },
        {
          role: "assistant",
          model: "a/one",
          parts: [{ type: "tool-call", id: "1", name: "Read", input: {} }],
        },
        { role: "tool", results: [{ id: "1", name: "Read", text: "x", isError: false }] },
        said(),
      ]),
    ).toBe(
      "## What the person said\n- remember this\n## Tools that were used\nRead\n## The last answer\nyes.",
    );
  });

  it("stays short", () => {
    const many = Array.from({ length: 500 }, (): Message => ({
      role: "user",
      text: "😀".repeat(999),
    }));
    const summary = plainSummary(many);
    expect(summary.length).toBeLessThan(15_000);
    expect(summary.isWellFormed()).toBe(true);
  });
});

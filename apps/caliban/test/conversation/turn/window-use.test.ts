import type { Receipt } from "@caliban/memory";
import { describe, expect, it } from "vitest";
import { windowParts } from "../../../src/conversation/turn/window-use.ts";

type ReceiptEntry = Receipt["entries"][number];

const HEAD = {
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
  const rest = { kind: "instructions", path: "/x", bytes: 1, message: "" } as const;
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
    // Part of the entry before.
    { ...entry("project", 25), kind: "import", importedBy: "/x" },
    entry("project", 10),
  ],
} as const;

describe("windowParts", () => {
  it("lists the parts of the context window, and leaves out empty ones", () => {
    const agent = { ...HEAD, receipt: RECEIPT };
    expect(windowParts(agent, [{ role: "user", text: "a".repeat(8) }])).toEqual([
      { name: "global memory", tokens: 30 },
      { name: "project memory", tokens: 70 },
      { name: "skills", tokens: 20 },
      { name: "system prompt", tokens: 10 },
      { name: "tools", tokens: 10 },
      { name: "conversation", tokens: 2 },
    ]);
  });
});

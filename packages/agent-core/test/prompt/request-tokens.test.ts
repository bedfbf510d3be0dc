import { describe, expect, it } from "vitest";
import type { Message, Usage } from "../../src/message.ts";
import { requestTokens } from "../../src/prompt/request-tokens.ts";

const HEAD = {
  system: "p".repeat(520),
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

const usage = (inputTokens: number): Usage => ({
  inputTokens,
  outputTokens: 5,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
});

const answer = (inputTokens: number): Message => ({
  role: "assistant",
  model: "a/one",
  parts: [{ type: "text", text: "yes." }],
  usage: usage(inputTokens),
});

describe("requestTokens", () => {
  it("estimates a request until the provider has counted one", () => {
    expect(requestTokens({ ...HEAD, messages: [{ role: "user", text: "a".repeat(8) }] })).toBe(
      130 + 10 + 2,
    );
  });

  it("adds an estimate of new messages to the provider's last count", () => {
    const messages: readonly Message[] = [
      { role: "user", text: "a" },
      answer(1000),
      { role: "user", text: "b".repeat(40) },
    ];
    expect(requestTokens({ ...HEAD, messages })).toBe(1000 + 5 + 10);
  });

  it("estimates a request when the provider does not count", () => {
    const messages: readonly Message[] = [{ role: "user", text: "a" }, answer(0)];
    expect(requestTokens({ ...HEAD, messages })).toBe(130 + 10 + 1 + 1);
  });
});

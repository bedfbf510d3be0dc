import type { Cost } from "@caliban/providers";
import { expect, it } from "vitest";
import { footerFacts } from "../../../../src/commands/chat/terminal/chat-loop.ts";
import { fakeConversation } from "../fake-conversation.ts";

it.for([
  [{ dollars: 0, unpriced: [] }, undefined],
  [{ dollars: 0, unpriced: ["ollama/qwen3"] }, undefined],
  [{ dollars: 0.5, unpriced: [] }, "$0.50"],
  [{ dollars: 0.5, unpriced: ["ollama/qwen3"] }, "$0.50+"],
] as const satisfies readonly (readonly [Cost, string | undefined])[])(
  "shows the cost %j in the footer as %s",
  async ([cost, shown]) => {
    const usage = { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0 };
    const { open } = fakeConversation({ spent: { usage, cost, requests: 1, elapsedMs: 0 } });
    expect(footerFacts(await open()).cost).toBe(shown);
  },
);

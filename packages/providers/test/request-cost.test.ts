import type { Usage } from "@caliban/agent-core";
import { describe, expect, it } from "vitest";
import { PRICES } from "../src/prices.ts";
import { KNOWN_PROVIDERS } from "../src/provider-table.ts";
import { addCost, formatDollars, NO_COST, requestCost } from "../src/request-cost.ts";

function usage(inputTokens: number, more: Partial<Usage> = {}): Usage {
  return { inputTokens, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, ...more };
}

describe("the cost of a request", () => {
  it.for([
    ["anthropic/claude-sonnet-5-5", usage(1_000_000), 2],
    ["anthropic/claude-sonnet-5-5", usage(0, { outputTokens: 1_000_000 }), 10],
    // Cached tokens are part of the input tokens and are not counted twice.
    ["anthropic/claude-sonnet-5-5", usage(1_000_000, { cacheReadTokens: 1_000_000 }), 0.1],
    ["anthropic/claude-sonnet-5-5", usage(1_000_000, { cacheWriteTokens: 1_000_000 }), 2.5],
    ["anthropic/claude-sonnet-4-5-20250929", usage(1_000_000), 3],
    ["openai/gpt-6.1-sol-2026-09-29", usage(100_000), 0.2],
    // A long prompt makes the whole request more expensive.
    ["anthropic/claude-haiku-5-5", usage(100_000), 0.01],
    ["anthropic/claude-haiku-5-5", usage(100_001), 0.050_000_5],
    ["offline/rehearsal", usage(1_000_000), 0],
    ["ollama/qwen3", usage(1_000_000), undefined],
    ["openrouter/anthropic/claude-sonnet-5-5", usage(1_000_000), undefined],
    ["constructor", usage(1), undefined],
  ] as const)("%s with %j costs %d dollars", ([model, used, dollars]) => {
    const cost = requestCost(model, used);
    expect(cost?.toFixed(9)).toBe(dollars?.toFixed(9));
  });

  it("adds requests, and names each model without a price once", () => {
    const priced = addCost(NO_COST, "anthropic/claude-opus-5-5", usage(500_000));
    const both = addCost(addCost(priced, "x/y", usage(1)), "x/y", usage(1));
    expect(both).toEqual({ dollars: 2, unpriced: ["x/y"] });
  });

  it.for([
    [0, "$0.00"],
    [0.000_12, "$0.0001"],
    [0.01, "$0.01"],
    [12.345, "$12.35"],
  ] as const)("shows %d dollars as %s", ([dollars, text]) => {
    expect(formatDollars(dollars)).toBe(text);
  });
});

describe("the price list", () => {
  it("names a known provider in every row", () => {
    const providers = new Set(Object.keys(PRICES).map((name) => name.split("/")[0]));
    for (const provider of providers)
      expect([...Object.keys(KNOWN_PROVIDERS), "offline"]).toContain(provider);
  });

  it("never makes reading a cache dearer than sending the tokens, or a long prompt cheaper", () => {
    const wrong = Object.entries(PRICES).filter(
      ([, { input, cacheRead, long }]) => cacheRead > input || (long?.input ?? input) < input,
    );
    expect(wrong).toEqual([]);
  });
});

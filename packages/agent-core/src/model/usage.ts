import type { LanguageModelV4Usage } from "@ai-sdk/provider";
import type { Usage } from "../message.ts";

/** Nothing used yet. */
export const NO_USAGE: Usage = {
  inputTokens: 0,
  outputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
};

/** Adds two usages. */
export function addUsage(one: Usage, other: Usage): Usage {
  return {
    inputTokens: one.inputTokens + other.inputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
    cacheReadTokens: one.cacheReadTokens + other.cacheReadTokens,
    cacheWriteTokens: one.cacheWriteTokens + other.cacheWriteTokens,
  };
}

/** Converts the usage that a provider reports. Missing numbers count as zero. */
export function toUsage({ inputTokens, outputTokens }: LanguageModelV4Usage): Usage {
  const { total, noCache = 0, cacheRead = 0, cacheWrite = 0 } = inputTokens;
  return {
    inputTokens: total ?? noCache + cacheRead + cacheWrite,
    outputTokens: outputTokens.total ?? (outputTokens.text ?? 0) + (outputTokens.reasoning ?? 0),
    cacheReadTokens: cacheRead,
    cacheWriteTokens: cacheWrite,
  };
}

import type { CompletionUsage } from "./complete.ts";

/** More than any model can be asked or say at once. */
const MOST_TOKENS = 100_000_000;

/**
 * What a request is booked with: what the provider reports where that can be true, else the estimate. Whoever counts next
 * to nothing for an input is not believed, because a budget is held against it.
 */
export function bookedUsage(
  reported: CompletionUsage | undefined,
  estimate: CompletionUsage,
): CompletionUsage {
  return {
    inputTokens: Math.max(
      credible(reported?.inputTokens) ?? estimate.inputTokens,
      Math.floor(estimate.inputTokens / 4),
    ),
    outputTokens: credible(reported?.outputTokens) ?? estimate.outputTokens,
  };
}

function credible(tokens: number | undefined): number | undefined {
  const isCredible =
    tokens !== undefined && Number.isSafeInteger(tokens) && tokens >= 0 && tokens <= MOST_TOKENS;
  return isCredible ? tokens : undefined;
}

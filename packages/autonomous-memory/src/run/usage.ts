/** The tokens of one request. */
export interface CompletionUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** More than any model reads or writes in one request. */
const MAX_TOKENS = 100_000_000;

/**
 * The usage to charge for a request: what the provider reports if that is plausible, otherwise the estimate. A provider
 * that reports next to nothing for a long input is not trusted, because the daily budget depends on it.
 */
export function credibleUsage(
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
    tokens !== undefined && Number.isSafeInteger(tokens) && tokens >= 0 && tokens <= MAX_TOKENS;
  return isCredible ? tokens : undefined;
}

import type { ModelFailure } from "./model-failure.ts";

/** How often a failed request is made again, and how long the waits are. */
export interface RetryPolicy {
  readonly maxRetries: number;
  readonly firstDelayMs: number;
  readonly longestDelayMs: number;
}

export const DEFAULT_RETRY_POLICY: RetryPolicy = {
  maxRetries: 4,
  firstDelayMs: 1_000,
  longestDelayMs: 60_000,
};

/**
 * How long to wait before a failed request is made again; `undefined` when it is not: the failure would stay, the
 * tries are used up, or the provider wants more patience than a person has.
 * @param retry 1 for the first repetition
 */
export function retryDelayMs(
  failure: ModelFailure,
  retry: number,
  policy: RetryPolicy,
): number | undefined {
  if (!failure.isTransient || retry > policy.maxRetries) return undefined;
  const { retryAfterMs } = failure;
  if (retryAfterMs !== undefined && retryAfterMs > policy.longestDelayMs) return undefined;
  const doubled = policy.firstDelayMs * 2 ** (retry - 1);
  return Math.min(Math.max(doubled, retryAfterMs ?? 0), policy.longestDelayMs);
}

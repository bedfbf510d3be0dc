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

type Headers = Readonly<Record<string, string | undefined>>;

/** Longer than that is no pause but an outage, and a number nobody can wait for. */
const LONGEST_MS = 24 * 60 * 60 * 1000;

/** How long a provider wants to be left alone, by its headers or its words. */
export function readRetryAfter(headers: Headers | undefined, body: string): number | undefined {
  const milliseconds =
    inMilliseconds(headers?.["retry-after-ms"], 1) ??
    inMilliseconds(headers?.["retry-after"], 1000) ??
    untilDate(headers) ??
    inMilliseconds(/"retryDelay":\s*"([\d.]+)s"/.exec(body)?.[1], 1000);
  if (milliseconds === undefined || milliseconds < 0) return undefined;
  return Math.min(Math.ceil(milliseconds), LONGEST_MS);
}

function inMilliseconds(text: string | undefined, unit: number): number | undefined {
  return text !== undefined && /^\d+(?:\.\d+)?$/.test(text.trim())
    ? Number(text) * unit
    : undefined;
}

/** A date is held against the server's own clock; ours may be wrong. */
function untilDate(headers: Headers | undefined): number | undefined {
  const wait = Date.parse(headers?.["retry-after"] ?? "") - Date.parse(headers?.["date"] ?? "");
  return Number.isNaN(wait) ? undefined : wait;
}

import type { ModelFailure } from "./model-failure.ts";

/** The number of retries of a failed request, and the delays between them. */
export interface RetryPolicy {
  readonly maxRetries: number;
  readonly initialDelayMs: number;
  readonly maxDelayMs: number;
}

export const DEFAULT_RETRY_POLICY: RetryPolicy = {
  maxRetries: 4,
  initialDelayMs: 1_000,
  maxDelayMs: 60_000,
};

/**
 * How long to wait before a failed request is sent again. Returns `undefined` if retrying makes no sense: the failure is
 * permanent, the retries are used up, or the provider asks for a longer wait than a user would accept.
 * @param retry 1 for the first retry
 */
export function retryDelayMs(
  failure: ModelFailure,
  retry: number,
  policy: RetryPolicy,
): number | undefined {
  if (!failure.isTransient || retry > policy.maxRetries) return undefined;
  const { retryAfterMs } = failure;
  if (retryAfterMs !== undefined && retryAfterMs > policy.maxDelayMs) return undefined;
  const doubled = policy.initialDelayMs * 2 ** (retry - 1);
  return Math.min(Math.max(doubled, retryAfterMs ?? 0), policy.maxDelayMs);
}

type Headers = Readonly<Record<string, string | undefined>>;

/** A longer wait is an outage, not a pause. */
const MAX_RETRY_AFTER_MS = 24 * 60 * 60 * 1000;

/** Reads from the headers or the body of a response how long the provider asks clients to wait. */
export function readRetryAfter(headers: Headers | undefined, body: string): number | undefined {
  const milliseconds =
    parseDuration(headers?.["retry-after-ms"], 1) ??
    parseDuration(headers?.["retry-after"], 1000) ??
    untilDate(headers) ??
    parseDuration(/"retryDelay":\s*"([\d.]+)s"/.exec(body)?.[1], 1000);
  if (milliseconds === undefined || milliseconds < 0) return undefined;
  return Math.min(Math.ceil(milliseconds), MAX_RETRY_AFTER_MS);
}

function parseDuration(text: string | undefined, unitMs: number): number | undefined {
  return text !== undefined && /^\d+(?:\.\d+)?$/.test(text.trim())
    ? Number(text) * unitMs
    : undefined;
}

/** Compares the date with the server's own clock, because ours may be wrong. */
function untilDate(headers: Headers | undefined): number | undefined {
  const wait = Date.parse(headers?.["retry-after"] ?? "") - Date.parse(headers?.["date"] ?? "");
  return Number.isNaN(wait) ? undefined : wait;
}

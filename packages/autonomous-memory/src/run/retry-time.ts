import type { PipelineSettings } from "./settings.ts";

const MAX_DELAY_MS = 3_600_000;

/** When to retry a failed job: the delay doubles with each failure in a row, up to an hour, and never earlier than the provider asks. */
export function retryAtMs(
  { retryDelaySeconds }: Pick<PipelineSettings, "retryDelaySeconds">,
  {
    nowMs,
    failuresBefore,
    retryAfterMs = 0,
  }: {
    readonly nowMs: number;
    readonly failuresBefore: number;
    readonly retryAfterMs?: number | undefined;
  },
): number {
  const doubled = retryDelaySeconds * 1_000 * 2 ** Math.min(failuresBefore, 20);
  return nowMs + Math.min(Math.max(doubled, retryAfterMs), MAX_DELAY_MS);
}

import type { PipelineSettings } from "./settings.ts";

const LONGEST_WAIT_MS = 3_600_000;

/** When a job that failed is tried again: doubled with each failure in a row, up to an hour, and not before the provider wants. */
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
  return nowMs + Math.min(Math.max(doubled, retryAfterMs), LONGEST_WAIT_MS);
}

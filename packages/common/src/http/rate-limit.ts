export interface RateLimitInput {
  /** How many may come at once. */
  readonly burst: number;
  readonly perSecond: number;
  /** Milliseconds since any point in time. */
  readonly nowMs: () => number;
}

/** Returns whether one more is allowed now, and counts it if it is. */
export type RateLimit = () => boolean;

/** A bucket that fills up with time. */
export function createRateLimit({ burst, perSecond, nowMs }: RateLimitInput): RateLimit {
  let left = burst;
  let lastMs = nowMs();
  return () => {
    const now = nowMs();
    // A clock that goes back gives nothing.
    left = Math.min(burst, left + (Math.max(0, now - lastMs) / 1000) * perSecond);
    lastMs = now;
    if (left < 1) return false;
    left -= 1;
    return true;
  };
}

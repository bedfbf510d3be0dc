const MINUTE_MS = 60_000;
const HOUR_MINUTES = 60;
const DAY_MINUTES = 24 * HOUR_MINUTES;

/** How long ago something was, in the largest unit that fits; a time ahead of the clock counts as now. */
export function timeAgo(thenMs: number, nowMs: number): string {
  const minutes = Math.floor(Math.max(0, nowMs - thenMs) / MINUTE_MS);
  if (minutes === 0) return "now";
  if (minutes < HOUR_MINUTES) return `${minutes} min ago`;
  if (minutes < DAY_MINUTES) return `${Math.floor(minutes / HOUR_MINUTES)} h ago`;
  const days = Math.floor(minutes / DAY_MINUTES);
  return days === 1 ? "yesterday" : `${days} days ago`;
}

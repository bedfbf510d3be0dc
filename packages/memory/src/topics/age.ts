import { STALE_DAYS } from "./limits.ts";

const DAY_MS = 86_400_000;

/** How old a note is, in words, because models are poor at reckoning with dates. */
export function formatAge(updatedMs: number, nowMs: number): string {
  const days = ageInDays(updatedMs, nowMs);
  if (days === 0) return "today";
  if (days === 1) return "yesterday";
  return `${days} days ago`;
}

/** The same with a warning for what may no longer be true. */
export function formatAgeWithWarning(updatedMs: number, nowMs: number): string {
  const words = formatAge(updatedMs, nowMs);
  return ageInDays(updatedMs, nowMs) >= STALE_DAYS
    ? `${words}; verify before relying on it`
    : words;
}

/** A time ahead of the clock counts as now. */
function ageInDays(updatedMs: number, nowMs: number): number {
  return Math.max(0, Math.floor((nowMs - updatedMs) / DAY_MS));
}

import { checkArguments } from "../check-arguments.ts";
import { STALE_DAYS } from "./limits.ts";

const DAY_MS = 86_400_000;

/** The age of a topic in words, because models are bad at date arithmetic. */
export function formatAge(updatedMs: number, nowMs: number): string {
  const days = ageInDays(updatedMs, nowMs);
  if (days === 0) return "today";
  if (days === 1) return "yesterday";
  return `${days} days ago`;
}

/** The age, with a warning once the topic may be out of date. */
export function formatAgeWithWarning(updatedMs: number, nowMs: number): string {
  const age = formatAge(updatedMs, nowMs);
  return ageInDays(updatedMs, nowMs) >= STALE_DAYS ? `${age}; verify before relying on it` : age;
}

/** A time in the future counts as now. */
function ageInDays(updatedMs: number, nowMs: number): number {
  checkArguments("formatAge", { updatedMs, nowMs }, { updatedMs: "number", nowMs: "number" });
  return Math.max(0, Math.floor((nowMs - updatedMs) / DAY_MS));
}

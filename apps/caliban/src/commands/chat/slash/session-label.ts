import type { SessionSummary } from "@caliban/sessions/node";
import type { PickItem } from "./slash-person.ts";

/** A stored session as a row of a list to pick from. */
export function sessionLabel(
  {
    id,
    name,
    title,
    updatedMs,
    exchangeCount,
  }: Pick<SessionSummary, "id" | "name" | "title" | "updatedMs" | "exchangeCount">,
  nowMs: number,
): PickItem {
  const count =
    exchangeCount === undefined
      ? ""
      : `${exchangeCount} ${exchangeCount === 1 ? "exchange" : "exchanges"}`;
  return {
    value: id,
    // In front, because a narrow screen has no room for a description.
    label: `${shortAge(nowMs - updatedMs).padEnd(4)} ${name ?? title ?? "(untitled)"}`,
    description: count,
  };
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** A time ahead of the clock counts as now. */
function shortAge(ageMs: number): string {
  if (ageMs < MINUTE_MS) return "now";
  if (ageMs < HOUR_MS) return `${Math.floor(ageMs / MINUTE_MS)}m`;
  if (ageMs < DAY_MS) return `${Math.floor(ageMs / HOUR_MS)}h`;
  return `${Math.floor(ageMs / DAY_MS)}d`;
}

import type { SessionSummary } from "@caliban/sessions/node";
import { timeAgo } from "../commands/sessions/time-ago.ts";
import type { PickItem } from "./slash-person.ts";

/** A stored session as a row of a list to pick from. */
export function sessionLabel(
  { id, name, title, updatedMs, exchangeCount }: SessionSummary,
  nowMs: number,
): PickItem {
  const count =
    exchangeCount === undefined
      ? ""
      : `, ${exchangeCount} ${exchangeCount === 1 ? "exchange" : "exchanges"}`;
  return {
    value: id,
    label: name ?? title ?? "(untitled)",
    description: `${timeAgo(updatedMs, nowMs)}${count}`,
  };
}

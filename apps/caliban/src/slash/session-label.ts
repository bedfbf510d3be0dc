import type { SessionSummary } from "@caliban/sessions/node";
import { timeAgo } from "../commands/sessions/time-ago.ts";
import type { PickItem } from "./slash-person.ts";

/** A stored session as a row of a list to pick from. */
export function sessionLabel(
  { id, name, title, updatedMs, messageCount }: SessionSummary,
  nowMs: number,
): PickItem {
  const count =
    messageCount === undefined
      ? ""
      : `, ${messageCount} ${messageCount === 1 ? "message" : "messages"}`;
  return {
    value: id,
    label: name ?? title ?? "(untitled)",
    description: `${timeAgo(updatedMs, nowMs)}${count}`,
  };
}

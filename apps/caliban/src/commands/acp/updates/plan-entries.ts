import type { PlanEntry, PlanEntryStatus } from "@agentclientprotocol/sdk";
import { isRecord, terminalSafeLine } from "@caliban/common";

/** The to-do list of a call as the plan of an editor; `undefined` for an input that is no such list. */
export function planEntries(input: unknown): PlanEntry[] | undefined {
  const todos = isRecord(input) ? input["todos"] : undefined;
  if (!Array.isArray(todos)) return undefined;
  return todos.flatMap((todo): readonly PlanEntry[] => {
    if (!isRecord(todo) || typeof todo["content"] !== "string") return [];
    const { content, status } = todo;
    const known = STATUSES.find((each) => each === status) ?? "pending";
    return [{ content: terminalSafeLine(content), priority: "medium", status: known }];
  });
}

const STATUSES: readonly PlanEntryStatus[] = ["pending", "in_progress", "completed"];

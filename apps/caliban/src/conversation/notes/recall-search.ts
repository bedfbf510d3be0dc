import type { OpenedMemorySearch } from "@caliban/memory/node";
import { mayRecall, type Recalled, type RecallGate } from "./may-recall.ts";

/** What decides whether memory is recalled. */
export interface RecallContext extends RecallGate {
  /** Absent when auto-memory is off. */
  readonly search?: OpenedMemorySearch | undefined;
}

/** Absent unless auto-memory and recall are on, and the agent may search and read topics without asking. */
export function recallSearch(
  context: RecallContext,
  about: Recalled,
): OpenedMemorySearch | undefined {
  return mayRecall(context, about) ? context.search : undefined;
}

/** What gets notes, or why nothing does. */
export type RecallStatus = "messages and calls" | "messages" | "off";

/** Says what gets notes now. */
export function recallStatus(context: RecallContext): RecallStatus {
  if (recallSearch(context, "call") !== undefined) return "messages and calls";
  return recallSearch(context, "message") === undefined ? "off" : "messages";
}

import { decidePermission, type PermissionPolicy } from "@caliban/agent-core";
import type { OpenedMemorySearch } from "@caliban/memory/node";
import type { SettingValues } from "@caliban/settings";
import { ALL_MEMORY, memoryPermission } from "@caliban/tools-builtin";
import type { Project } from "../../project/project.ts";

/** What decides whether memory is recalled. */
export interface RecallContext {
  readonly project: Pick<Project, "settings">;
  /** Absent when auto-memory is off. */
  readonly search?: OpenedMemorySearch | undefined;
  readonly policy: PermissionPolicy;
}

/** What memory is recalled for: a message of the user, or a call of a tool. */
export type Recalled = "message" | "call";

/** Absent unless auto-memory and recall are on, and the agent may search and read topics without asking. */
export function recallSearch(
  { project, search, policy }: RecallContext,
  about: Recalled,
): OpenedMemorySearch | undefined {
  if (!RECALLED[project.settings.values["memory.recall"]].has(about)) return undefined;
  const maySearch = decidePermission(SEARCH, policy).kind === "allow";
  return maySearch && memoryPermission(ALL_MEMORY, policy) === "allow" ? search : undefined;
}

/** What gets notes, or why nothing does. */
export type RecallStatus = "messages and calls" | "messages" | "off";

/** Says what gets notes now. */
export function recallStatus(context: RecallContext): RecallStatus {
  if (recallSearch(context, "call") !== undefined) return "messages and calls";
  return recallSearch(context, "message") === undefined ? "off" : "messages";
}

const RECALLED: Readonly<Record<SettingValues["memory.recall"], ReadonlySet<Recalled>>> = {
  auto: new Set(["message", "call"]),
  message: new Set(["message"]),
  off: new Set(),
};

const SEARCH = { tool: "MemorySearch", permission: "memory.search", isReadOnly: true };

import { decidePermission, type PermissionPolicy } from "@caliban/agent-core";
import type { SettingValues } from "@caliban/settings";
import { ALL_MEMORY, memoryPermission } from "@caliban/tools-builtin";
import type { Project } from "../../project/project.ts";

export interface RecallGate {
  readonly project: Pick<Project, "settings">;
  readonly policy: PermissionPolicy;
}

/** What memory is recalled for: a message of the user, or a call of a tool. */
export type Recalled = "message" | "call";

/** Whether recall is on, and the agent may search and read topics without asking. */
export function mayRecall({ project, policy }: RecallGate, about: Recalled): boolean {
  if (!RECALLED[project.settings.values["memory.recall"]].has(about)) return false;
  const maySearch = decidePermission(SEARCH, policy).kind === "allow";
  return maySearch && memoryPermission(ALL_MEMORY, policy) === "allow";
}

/** A statement of a session has no rules of its own: what may be searched may be read. */
export function mayReadMemory(address: string, policy: PermissionPolicy): boolean {
  return !address.startsWith("memory://") || memoryPermission(address, policy) === "allow";
}

const RECALLED: Readonly<Record<SettingValues["memory.recall"], ReadonlySet<Recalled>>> = {
  auto: new Set(["message", "call"]),
  message: new Set(["message"]),
  off: new Set(),
};

const SEARCH = { tool: "MemorySearch", permission: "memory.search", isReadOnly: true };

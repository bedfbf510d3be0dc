import type { AgentCall } from "../hook-event.ts";

type PatchedFile = Pick<Extract<AgentCall, { readonly kind: "file" }>, "action" | "path">;

/** The first file that a patch of Codex or opencode changes; `undefined` if it changes none. */
export function patchedFile(patch: string): PatchedFile | undefined {
  const [, verb, path = ""] = /^\*\*\* (Update|Add|Delete) File: (.+)$/m.exec(patch) ?? [];
  if (verb === undefined || path.trim() === "") return undefined;
  return { action: verb === "Add" ? "create" : "edit", path: path.trim() };
}

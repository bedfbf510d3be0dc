import type { Tool } from "../tool.ts";
import { decidePermission, type PermissionPolicy } from "./decide-permission.ts";

/**
 * The tools that a model is offered: all but those that are denied whatever they are called with. Pass the denied ones
 * to the tool runner as well, so that a call of one gets the right refusal.
 */
export function offeredTools<Offered extends Pick<Tool, "name" | "permission" | "isReadOnly">>(
  tools: readonly Offered[],
  policy: PermissionPolicy,
): readonly Offered[] {
  // A rule with a pattern denies some calls of a tool, not the tool.
  const deny = policy.deny.filter(({ subject }) => subject === undefined);
  const enforced = policy.enforced?.filter(({ subject }) => subject === undefined);
  // The mode can change during a session, and the offered tools are part of the cached prompt.
  const unconditional: PermissionPolicy = { ...policy, deny, enforced, mode: "default" };
  return tools.filter(({ name: tool, permission, isReadOnly }) => {
    return decidePermission({ tool, permission, isReadOnly }, unconditional).kind !== "deny";
  });
}

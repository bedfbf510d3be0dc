import type { PermissionMode } from "@caliban/agent-core";

/** The modes that a key leads through. What asks about nothing is never reached by a slip of the finger. */
const MODE_CYCLE: readonly PermissionMode[] = ["default", "accept-edits", "plan"];

/** The mode after this one. */
export function nextMode(mode: PermissionMode): PermissionMode {
  const index = MODE_CYCLE.indexOf(mode);
  return MODE_CYCLE[(index + 1) % MODE_CYCLE.length] ?? "default";
}

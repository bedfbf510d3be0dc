import type { PermissionMode } from "@caliban/agent-core";

/** What each permission mode does, for the footer, `/permissions` and completion. */
export const MODE_DESCRIPTIONS: Readonly<Record<PermissionMode, string>> = {
  default: "asks before writes, and commands that do more than read",
  "accept-edits": "edits files in the workspace without asking; asks before commands that do more",
  plan: "changes nothing; the agent reads and proposes",
  yolo: "asks only where a rule says so",
};

/** The modes that Shift+Tab cycles through. `yolo` is left out, so that it is never reached by accident. */
const MODE_CYCLE: readonly PermissionMode[] = ["default", "accept-edits", "plan"];

/** The mode that Shift+Tab switches to. */
export function nextMode(mode: PermissionMode): PermissionMode {
  const index = MODE_CYCLE.indexOf(mode);
  return MODE_CYCLE[(index + 1) % MODE_CYCLE.length] ?? "default";
}

import { decidePermission, type PermissionPolicy } from "@caliban/agent-core";
import type { ToolWorkspace } from "@caliban/tools-builtin/node";

const LOOKING = { permission: "fs.read", isReadOnly: true };
const TOOLS = ["Read", "Grep", "Glob"];

/**
 * Tells what searches may show: no file that a pattern keeps from Read, or from the search itself. `undefined` where there
 * is no such pattern, so that nothing is asked.
 */
export function createReadableTest(policy: PermissionPolicy): ToolWorkspace["isReadable"] {
  // A rule without a pattern is about the tool, and is decided before the search.
  const deny = policy.deny.filter(
    (rule) =>
      rule.subject !== undefined &&
      // A call without a subject is caught by every rule that names it.
      TOOLS.some((tool) => isDenied({ tool }, { ...policy, deny: [rule] })),
  );
  if (deny.length === 0) return undefined;
  return (subject, tool) =>
    ["Read", tool].every((name) => !isDenied({ tool: name, subject }, { ...policy, deny }));
}

function isDenied(
  call: { readonly tool: string; readonly subject?: string },
  policy: PermissionPolicy,
): boolean {
  return decidePermission({ ...LOOKING, ...call }, policy).kind === "deny";
}

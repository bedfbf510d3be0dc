import { decidePermission, type PermissionPolicy } from "@caliban/agent-core";

/** The tools that search files. */
export type FileSearchTool = "Grep" | "Glob";

const READ = { permission: "fs.read", isReadOnly: true };
const TOOLS = ["Read", "Grep", "Glob"];

/**
 * Creates the test for what file searches may show: no file that a pattern denies to Read or to the searching tool.
 * Returns `undefined` when there is no such pattern, so that no file needs to be tested.
 */
export function createFileTest(
  policy: PermissionPolicy | undefined,
): ((path: string, tool: FileSearchTool) => boolean) | undefined {
  // A rule without a pattern denies the tool itself, which is decided before the search.
  const deny = policy?.deny.filter(
    (rule) =>
      rule.subject !== undefined &&
      // A call without a subject matches every rule that names its tool.
      TOOLS.some((tool) => isDenied({ tool }, { ...policy, deny: [rule] })),
  );
  if (policy === undefined || deny === undefined || deny.length === 0) return undefined;
  return (subject, tool) =>
    ["Read", tool].every((name) => !isDenied({ tool: name, subject }, { ...policy, deny }));
}

function isDenied(
  call: { readonly tool: string; readonly subject?: string },
  policy: PermissionPolicy,
): boolean {
  return decidePermission({ ...READ, ...call }, policy).kind === "deny";
}

import { type Diagnostic, nearest, terminalSafeLine } from "@caliban/common";
import type { Tool } from "../tool.ts";
import type { PermissionPolicy } from "./decide-permission.ts";
import { PERMISSION_CATEGORIES } from "./match-rule.ts";

/** A permission rule that matches no tool. */
export type UnknownRule = Diagnostic<"UNKNOWN_RULE">;

/**
 * Finds rules that match no tool: a typo in a deny rule would allow what it was written to forbid. A name in the
 * settings that resembles nothing is accepted, because it may belong to a tool of another run; a name in a flag is not.
 * `permissions` are those of servers whose tools are not known yet.
 */
export function findUnknownRules(
  policy: PermissionPolicy,
  tools: readonly Pick<Tool, "name" | "permission">[],
  permissions: readonly string[] = [],
): readonly UnknownRule[] {
  const known = new Set([
    ...tools.flatMap(({ name, permission }) => [name, permission, wholeCategory(permission)]),
    ...permissions,
  ]);
  const rules = new Set([
    ...policy.allow,
    ...policy.ask,
    ...policy.deny,
    ...(policy.enforced ?? []),
  ]);
  return [...rules].flatMap(({ name, text, source }) => {
    if (name === "*" || known.has(name) || PERMISSION_CATEGORIES.includes(name)) return [];
    const suggestion = nearest(name, [...known, ...PERMISSION_CATEGORIES]);
    if (suggestion === undefined && !source.startsWith("--")) return [];
    const hint = suggestion === undefined ? " in this run" : `; did you mean ${suggestion}?`;
    const message = terminalSafeLine(`${source}: the rule ${text} matches no tool${hint}`);
    return [{ code: "UNKNOWN_RULE", message }];
  });
}

function wholeCategory(permission: string): string {
  return permission.replace(/\..*$/, ".*");
}

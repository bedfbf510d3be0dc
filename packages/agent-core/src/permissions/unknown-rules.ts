import { PERMISSION_CATEGORIES, type PermissionPolicy, type Tool } from "@caliban/agent-core";
import { nearest, terminalSafeLine } from "@caliban/common";

/**
 * Rules that hold for no tool there is: a slip in a deny would else let through what it was written against. In settings
 * a name that is near to nothing may be of a tool that comes later; a flag is for this run alone. A server's permission is
 * known before any of its tools is.
 */
export function ruleSlips(
  policy: PermissionPolicy,
  tools: readonly Pick<Tool, "name" | "permission">[],
  permissions: readonly string[] = [],
): readonly string[] {
  const known = new Set([
    ...tools.flatMap(({ name, permission }) => [name, permission, allOf(permission)]),
    ...permissions,
  ]);
  return [...policy.allow, ...policy.ask, ...policy.deny].flatMap(({ name, text, source }) => {
    if (name === "*" || known.has(name) || PERMISSION_CATEGORIES.includes(name)) return [];
    const meant = nearest(name, [...known, ...PERMISSION_CATEGORIES]);
    if (meant === undefined && !source.startsWith("--")) return [];
    const hint = meant === undefined ? " of this run" : `; did you mean ${meant}?`;
    const sentence = `${source}: the rule ${text} holds for no tool${hint}`;
    return [terminalSafeLine(sentence)];
  });
}

/** The rule for a whole category. */
function allOf(permission: string): string {
  return permission.replace(/\..*$/, ".*");
}

import type { PermissionRequest } from "./rule-match.ts";
import { categoryOf } from "./tool.ts";

/**
 * Under what "always" is kept, with the subject of the call in it, so that it never covers another command or another file.
 * `undefined` for a protected call, whose yes counts once.
 */
export function approvalKey(request: PermissionRequest): string | undefined {
  if (request.protectedBecause !== undefined) return undefined;
  const { subject } = request;
  return `permission:${scopeOf(request)}${subject === undefined ? "" : `(${subject})`}`;
}

const SUBJECTS: ReadonlyMap<string, string> = new Map([
  ["shell", "this exact command"],
  ["fs", "this one path"],
]);

/** What "always" covers, for the one who is asked. */
export function coveredByAlways(request: PermissionRequest): string {
  const { permission, subject, protectedBecause } = request;
  if (protectedBecause !== undefined) return "this call only, because it is asked about every time";
  if (subject === undefined) return `every call that needs ${scopeOf(request)} in this workspace`;
  const named = SUBJECTS.get(categoryOf(permission)) ?? `${scopeOf(request)} with exactly this`;
  return `${named} in this workspace`;
}

/** Tools of one server have one permission, and yes to one of them is no yes to the others. */
function scopeOf({ tool, permission }: PermissionRequest): string {
  return categoryOf(permission) === "mcp" ? `${permission}/${tool}` : permission;
}

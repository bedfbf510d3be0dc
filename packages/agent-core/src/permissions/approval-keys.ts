import { categoryOf } from "../tool.ts";
import {
  type PermissionDecision,
  type PermissionPolicy,
  uncoveredParts,
} from "./decide-permission.ts";
import type { PermissionRequest } from "./match-rule.ts";
import type { SandboxAccess } from "./sandbox-access.ts";

/**
 * The key under which "always" is stored. It contains the subject of the call, so that it never covers another command or
 * file, and it differs for a call in the sandbox. `undefined` for a call that is only ever approved once.
 */
export function approvalKey(
  request: PermissionRequest,
  { access, isOnceOnly }: PermissionDecision,
): string | undefined {
  if (request.protectionReason !== undefined || isOnceOnly === true) return undefined;
  const { subject } = request;
  const key = `permission:${scopeOf(request)}${subject === undefined ? "" : `(${subject})`}`;
  return isConfined(access) ? `${key} in the sandbox` : key;
}

/**
 * The patterns that cover a call together: one for each command that may not run yet. None where a rule asks, because that
 * rule would ask about every command of the pattern, too.
 */
export function offeredPrefixes(
  request: PermissionRequest,
  { rule, isOnceOnly }: PermissionDecision,
  policy: PermissionPolicy,
): readonly string[] {
  if (rule !== undefined || isOnceOnly === true || request.protectionReason !== undefined) {
    return [];
  }
  const uncovered = uncoveredParts(request, policy);
  const prefixes = uncovered.flatMap(({ prefix }) => prefix ?? []);
  return prefixes.length === uncovered.length ? [...new Set(prefixes)] : [];
}

/** The keys of the offered prefixes. They differ from that of an exact command, which may end with a star, too. */
export function prefixKeys(
  request: PermissionRequest,
  decision: PermissionDecision,
  policy: PermissionPolicy,
): readonly string[] {
  return offeredPrefixes(request, decision, policy).map((prefix) => {
    const key = `permission:${scopeOf(request)} prefix(${prefix})`;
    return isConfined(decision.access) ? `${key} in the sandbox` : key;
  });
}

/** All tools of an MCP server share one permission, but approving one of them must not approve the others. */
export function scopeOf({ tool, permission }: PermissionRequest): string {
  return categoryOf(permission) === "mcp" ? `${permission}/${tool}` : permission;
}

function isConfined(access: SandboxAccess | undefined): boolean {
  return access === "workspace" || access === "read-only";
}

import { commandParts, isCompound } from "./compound-command.ts";
import { matchesPattern } from "./match-pattern.ts";
import type { PermissionRule } from "./permission-rule.ts";
import { categoryOf } from "./tool.ts";

/** What a call asks leave for. */
export interface PermissionRequest {
  readonly tool: string;
  readonly permission: string;
  readonly isReadOnly: boolean;
  /** What patterns are matched with; a call without one is covered by no pattern, and caught by every one. */
  readonly subject?: string | undefined;
}

/** Whether a rule that loosens covers a call. */
export function isCoveredBy(request: PermissionRequest, rule: PermissionRule): boolean {
  if (!isNamedBy(request, rule)) return false;
  if (rule.subject === undefined) return true;
  return request.subject !== undefined && coversCommand(rule.subject, request.subject);
}

/** Whether a rule that tightens catches a call: as a whole, or in one part of a compound command. */
export function isCaughtBy(request: PermissionRequest, rule: PermissionRule): boolean {
  if (!isNamedBy(request, rule)) return false;
  const { subject: pattern } = rule;
  if (pattern === undefined) return true;
  // What cannot be held against the pattern is not let past it.
  if (request.subject === undefined) return true;
  const texts = [request.subject, ...commandParts(request.subject)];
  return texts.some((text) => matchesPattern(pattern, text));
}

/**
 * A pattern was written with one command in mind: `git status*` must not let `git status; rm -rf ~` through, so it covers
 * no compound command at all. Who means every command leaves the pattern out.
 */
function coversCommand(pattern: string, command: string): boolean {
  return !isCompound(command) && matchesPattern(pattern, command);
}

/** A name with a dot is a permission's, so that no tool can borrow a rule by being called `memory.write`. */
function isNamedBy({ tool, permission }: PermissionRequest, { name }: PermissionRule): boolean {
  if (name === "*") return true;
  if (!name.includes(".")) return name === tool;
  return name === permission || name === `${categoryOf(permission)}.*`;
}

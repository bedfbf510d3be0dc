import { catchesCommand } from "./shell/match-command.ts";
import { launcherOf } from "./shell/command-candidates.ts";
import { isCompound } from "./shell/compound-command.ts";
import { matchesPattern } from "./shell/match-pattern.ts";
import type { PermissionRule } from "./permission-rule.ts";
import { categoryOf } from "../tool.ts";

/** What a call asks leave for. */
export interface PermissionRequest {
  readonly tool: string;
  readonly permission: string;
  readonly isReadOnly: boolean;
  /** What patterns are matched with; a call without one is covered by no pattern, and caught by every one. */
  readonly subject?: string | undefined;
  /** Why this call is asked about whatever allows it, in a sentence. */
  readonly protectedBecause?: string | undefined;
}

/** Names that stand for a whole category without a star: `shell` is `shell.*`. No tool can have one of them for its rules. */
export const PERMISSION_CATEGORIES: readonly string[] = ["memory", "fs", "shell", "skill", "mcp"];

// Their subjects are paths and names, in which a bracket or an equals sign is nothing to a shell.
const WITHOUT_COMMANDS: ReadonlySet<string> = new Set(["memory", "fs", "skill"]);

/** Whether a rule that loosens covers a call. */
export function isCoveredBy(request: PermissionRequest, rule: PermissionRule): boolean {
  if (!isNamedBy(request, rule)) return false;
  if (rule.subject === undefined) return true;
  if (request.subject === undefined) return false;
  if (!isCommand(request)) return matchesPattern(rule.subject, request.subject);
  return coversCommand(rule.subject, request.subject);
}

/** Whether a rule that tightens catches a call: as a whole, in one part of a compound command, or behind another command. */
export function isCaughtBy(request: PermissionRequest, rule: PermissionRule): boolean {
  if (!isNamedBy(request, rule)) return false;
  const { subject: pattern } = rule;
  if (pattern === undefined) return true;
  // What cannot be held against the pattern is not let past it.
  if (request.subject === undefined) return true;
  if (!isCommand(request)) return matchesPattern(pattern, request.subject);
  return catchesCommand(pattern, request.subject);
}

/**
 * A pattern was written with one command in mind: `git status*` must not let `git status; rm -rf ~` through, so it covers
 * no compound command at all, and what stands before the command, such as `sudo`, only when it begins with that itself.
 * Who means every command leaves the pattern out.
 */
function coversCommand(pattern: string, command: string): boolean {
  if (isCompound(command) || !matchesPattern(pattern, command)) return false;
  const launcher = launcherOf(command);
  return launcher === undefined || pattern.startsWith(launcher);
}

function isCommand({ permission }: PermissionRequest): boolean {
  return !WITHOUT_COMMANDS.has(categoryOf(permission));
}

/** A name with a dot is a permission's, so that no tool can borrow a rule by being called `memory.write`. */
function isNamedBy({ tool, permission }: PermissionRequest, { name }: PermissionRule): boolean {
  if (name === "*") return true;
  if (PERMISSION_CATEGORIES.includes(name)) return name === categoryOf(permission);
  if (!name.includes(".")) return name === tool;
  return name === permission || name === `${categoryOf(permission)}.*`;
}

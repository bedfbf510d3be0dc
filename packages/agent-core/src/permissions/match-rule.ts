import { categoryOf } from "../tool.ts";
import type { PermissionRule } from "./permission-rule.ts";
import type { SandboxRequest } from "./sandbox-access.ts";
import type { CommandPart } from "./command-part.ts";
import type { Objection } from "./objection.ts";
import {
  matchesAllowedCommand,
  matchesAllowedPart,
  matchesDeniedCommand,
} from "./shell/match-command.ts";
import { matchesPattern } from "./shell/match-pattern.ts";

/** A call as permission rules see it. */
export interface PermissionRequest {
  readonly tool: string;
  readonly permission: string;
  readonly isReadOnly: boolean;
  /** Matched against patterns. A call without a subject matches no allow pattern, and every deny or ask pattern. */
  readonly subject?: string | undefined;
  /** The reason why this call needs approval even if a rule allows it, in one sentence. */
  readonly protectionReason?: string | undefined;
  /** The reason why only the user may decide about this call, each time and in every mode, in one sentence. */
  readonly reservedReason?: string | undefined;
  /** What was found against this call, such as by a hook. */
  readonly objection?: Objection | undefined;
  /** Omitted if the call runs without a sandbox. */
  readonly sandbox?: SandboxRequest | undefined;
  /** The commands of the subject. Omitted if it is not a command line, or not certain what a shell would run. */
  readonly parts?: readonly CommandPart[] | undefined;
}

/** Names that mean a whole category without a star: `shell` is `shell.*`. A tool with such a name has no rules of its own. */
export const PERMISSION_CATEGORIES: readonly string[] = [
  "memory",
  "fs",
  "shell",
  "skill",
  "web",
  "todo",
  "task",
  "plan",
  "mcp",
];

// Their subjects are paths, names and hosts, in which a bracket or an equals sign has no shell meaning.
const WITHOUT_COMMANDS: ReadonlySet<string> = new Set(["memory", "fs", "skill", "web"]);

/** Whether an allow rule matches a call. */
export function matchesAllow(request: PermissionRequest, rule: PermissionRule): boolean {
  if (!matchesName(request, rule)) return false;
  if (rule.subject === undefined) return true;
  if (request.subject === undefined) return false;
  if (!isCommand(request)) return matchesPattern(rule.subject, request.subject);
  return matchesAllowedCommand(rule.subject, request.subject);
}

/** Whether an allow rule with a pattern matches one command of a line. */
export function matchesAllowedPartOf(
  request: PermissionRequest,
  { text }: CommandPart,
  rule: PermissionRule,
): boolean {
  if (rule.subject === undefined || !matchesName(request, rule)) return false;
  return matchesAllowedPart(rule.subject, text);
}

/** Whether a deny or ask rule matches a call: as a whole, in a part of a compound command, or after another command. */
export function matchesDeny(request: PermissionRequest, rule: PermissionRule): boolean {
  if (!matchesName(request, rule)) return false;
  const { subject: pattern } = rule;
  if (pattern === undefined) return true;
  // A call that cannot be checked against the pattern must not get past it.
  if (request.subject === undefined) return true;
  if (!isCommand(request)) return matchesPattern(pattern, request.subject);
  return matchesDeniedCommand(pattern, request.subject);
}

function isCommand({ permission }: PermissionRequest): boolean {
  return !WITHOUT_COMMANDS.has(categoryOf(permission));
}

/** A name with a dot is always a permission, so a tool cannot borrow a rule by calling itself `memory.write`. */
function matchesName({ tool, permission }: PermissionRequest, { name }: PermissionRule): boolean {
  if (name === "*") return true;
  if (PERMISSION_CATEGORIES.includes(name)) return name === categoryOf(permission);
  if (!name.includes(".")) return name === tool;
  return name === permission || name === `${categoryOf(permission)}.*`;
}

import { terminalSafeLine } from "@caliban/common";
import { categoryOf } from "../tool.ts";
import { type EnforcedRule, enforcedReason, matchingEnforced } from "./enforced-rule.ts";
import type { CommandPart } from "./command-part.ts";
import {
  matchesAllow,
  matchesAllowedPartOf,
  matchesDeny,
  type PermissionRequest,
} from "./match-rule.ts";
import type { Objection } from "./objection.ts";
import type { PermissionRule } from "./permission-rule.ts";
import {
  approvedAccess,
  includesAccess,
  type SandboxAccess,
  widestAccess,
} from "./sandbox-access.ts";

/** The decision about a call. */
export type PermissionKind = "allow" | "ask" | "deny";

/** All modes, starting with the default. Each changes what happens if no rule matches. */
export const PERMISSION_MODES = ["default", "accept-edits", "plan", "yolo"] as const;

/** Ask as usual, do not ask about edits, change nothing at all, or ask only if a rule says so. */
export type PermissionMode = (typeof PERMISSION_MODES)[number];

/** A rule and where it comes from: a file as it is displayed, or a flag such as `--deny`. */
export interface PolicyRule extends PermissionRule {
  readonly source: string;
}

/** The decision about the calls that a row describes, if no rule matches them. */
export interface PermissionDefault {
  /** Limits the row to one category. */
  readonly category?: string;
  /** Limits the row to read-only tools, or to the others. */
  readonly isReadOnly?: boolean;
  /** Only a rule or plan mode can deny a call, so that the model can be told what to do about it. */
  readonly kind: Exclude<PermissionKind, "deny">;
  readonly reason: string;
}

/** The rules of the user, the repository and the session. */
export interface PermissionPolicy {
  readonly allow: readonly PolicyRule[];
  readonly ask: readonly PolicyRule[];
  readonly deny: readonly PolicyRule[];
  /** Replaces `PERMISSION_DEFAULTS`. The first matching row applies; if none matches, the user is asked. */
  readonly defaults?: readonly PermissionDefault[] | undefined;
  /** Rules that only make a decision stricter, whatever the other rules and the mode say. */
  readonly enforced?: readonly EnforcedRule[] | undefined;
  readonly mode: PermissionMode;
}

/** The decision about a call, the reason, and the rule that decided if there is one. */
export interface PermissionDecision {
  readonly kind: PermissionKind;
  /** One sentence, safe to print on a terminal. */
  readonly reason: string;
  readonly rule?: PolicyRule;
  /** The objection that decided, if one did. */
  readonly objection?: Objection;
  /** True if "always" cannot answer this question: it is asked every time. */
  readonly isOnceOnly?: boolean;
  /** Enforced rules whose text goes to the model with the result. */
  readonly notes?: readonly EnforcedRule[];
  /** The access with which the call runs if it does. Omitted for a call without a sandbox. */
  readonly access?: SandboxAccess | undefined;
}

/** The decisions if no rule matches. */
export const PERMISSION_DEFAULTS: readonly PermissionDefault[] = [
  { category: "mcp", kind: "ask", reason: "Tools of MCP servers need approval." },
  { category: "web", kind: "ask", reason: "Requests to a new host need approval." },
  { category: "memory", kind: "allow", reason: "Memory tools need no approval." },
  { isReadOnly: true, kind: "allow", reason: "Read-only tools need no approval." },
];

const EVERYTHING_ELSE: PermissionDefault = {
  kind: "ask",
  reason: "Tools that can make changes need approval.",
};

/**
 * Decides whether a call may run. Deny beats ask beats allow, whatever the order of the rules. No rule lets plan mode
 * change anything, only yolo mode skips protection, and yolo mode skips no rule. Enforced rules, reserved calls and
 * objections come last and only make the decision stricter.
 *
 * @example
 * import { decidePermission } from "@caliban/agent-core";
 *
 * const policy = { allow: [], ask: [], deny: [], mode: "plan" } as const;
 * const request = { tool: "Bash", permission: "shell.run", isReadOnly: false };
 * console.log(decidePermission(request, policy).kind); // deny
 */
export function decidePermission(
  request: PermissionRequest,
  policy: PermissionPolicy,
): PermissionDecision {
  const decision = tighten(decide(request, policy), request, policy);
  const { sandbox } = request;
  if (sandbox === undefined || decision.access !== undefined) return decision;
  // The user who wrote a rule or chose a mode had the call itself in mind, not a confined version of it.
  return { ...decision, access: widestAccess(sandbox) };
}

/**
 * Adds enforced rules to a policy. Those that deny are deny rules as well, so that a search skips the files and memories
 * that they forbid to read.
 */
export function withEnforcedRules(
  policy: PermissionPolicy,
  rules: readonly EnforcedRule[],
): PermissionPolicy {
  if (rules.length === 0) return policy;
  const deny = rules.filter(({ effect }) => effect === "deny");
  return {
    ...policy,
    deny: [...policy.deny, ...deny],
    enforced: [...(policy.enforced ?? []), ...rules],
  };
}

/** Applies what nothing can skip. The result is never weaker than the given decision. */
function tighten(
  decision: PermissionDecision,
  request: PermissionRequest,
  policy: PermissionPolicy,
): PermissionDecision {
  const enforced = matchingEnforced(request, policy.enforced);
  const denying = enforced.find(({ effect }) => effect === "deny");
  if (denying !== undefined) {
    return { kind: "deny", reason: enforcedReason(denying), rule: denying };
  }
  if (decision.kind === "deny") return decision;
  const { objection, reservedReason } = request;
  if (objection?.effect === "deny") return byObjection("deny", objection);
  const noting = enforced.filter(({ effect }) => effect === "note");
  const noted = noting.length === 0 ? decision : { ...decision, notes: noting };
  const asking = enforced.find(({ effect }) => effect === "ask");
  if (asking !== undefined) {
    const reason = enforcedReason(asking);
    return { ...noted, kind: "ask", reason, rule: asking, isOnceOnly: true };
  }
  const { rule: _, ...others } = noted;
  if (reservedReason !== undefined) {
    const reason = terminalSafeLine(reservedReason);
    return { ...others, kind: "ask", reason, isOnceOnly: true };
  }
  if (objection === undefined) return noted;
  return { ...others, ...byObjection("ask", objection), isOnceOnly: true };
}

function byObjection(kind: PermissionKind, objection: Objection): PermissionDecision {
  return { kind, reason: terminalSafeLine(objection.reason), objection };
}

function decide(request: PermissionRequest, policy: PermissionPolicy): PermissionDecision {
  const denied = policy.deny.find((rule) => matchesDeny(request, rule));
  if (denied !== undefined) return byRule("deny", denied);
  const covered = coverParts(request, policy);
  if (policy.mode === "plan" && !onlyReads(request, covered)) return byPlanMode(request);
  const asked = policy.ask.find((rule) => matchesDeny(request, rule));
  if (asked !== undefined) return byRule("ask", asked);
  return (
    byProtection(request, policy.mode) ??
    byAllowRule(policy.allow.find((rule) => matchesAllow(request, rule)) ?? covered?.rule) ??
    byMode(request, policy.mode) ??
    bySandbox(request, policy.mode) ??
    covered ??
    byDefault(request, policy)
  );
}

function byProtection(
  { protectionReason }: PermissionRequest,
  mode: PermissionMode,
): PermissionDecision | undefined {
  if (mode === "yolo" || protectionReason === undefined) return undefined;
  return { kind: "ask", reason: terminalSafeLine(protectionReason) };
}

function byAllowRule(rule: PolicyRule | undefined): PermissionDecision | undefined {
  return rule && byRule("allow", rule);
}

function onlyReads(request: PermissionRequest, covered: PermissionDecision | undefined): boolean {
  return isTrustedReadOnly(request) || covered === ONLY_READS;
}

const ONLY_READS: PermissionDecision = {
  kind: "allow",
  reason: "The command only reads files of the workspace.",
};

/** Decides about a line of which every command may run without a question, by a rule or because it only reads. */
function coverParts(
  request: PermissionRequest,
  policy: PermissionPolicy,
): PermissionDecision | undefined {
  const { parts = [] } = request;
  if (parts.length === 0 || uncoveredParts(request, policy).length > 0) return undefined;
  const doing = parts.filter((part) => !mayRead(part, policy));
  const [rule] = doing.flatMap((part) => ruleForPart(request, part, policy) ?? []);
  return rule === undefined ? ONLY_READS : byRule("allow", rule);
}

/** The commands of a line that no rule allows and that may do more than read. */
export function uncoveredParts(
  request: PermissionRequest,
  policy: PermissionPolicy,
): readonly CommandPart[] {
  return (request.parts ?? []).filter(
    (part) => !mayRead(part, policy) && ruleForPart(request, part, policy) === undefined,
  );
}

function ruleForPart(
  request: PermissionRequest,
  part: CommandPart,
  { allow }: PermissionPolicy,
): PolicyRule | undefined {
  return allow.find((rule) => matchesAllowedPartOf(request, part, rule));
}

const READERS = ["Read", "Grep", "Glob"].map((tool) => ({
  tool,
  permission: "fs.read",
  isReadOnly: true,
}));

/** Whether a command only reads, and only what the tools for reading may show, too. */
function mayRead({ reads }: CommandPart, policy: PermissionPolicy): boolean {
  if (reads === undefined) return false;
  // Which files a search shows is not known before it runs, so every pattern about files may match one of them.
  const searched = reads.shows === "any text" ? [undefined] : [];
  const subjects = [...reads.files, ".", ...searched];
  return READERS.every((reader) =>
    subjects.every((subject) => decidePermission({ ...reader, subject }, policy).kind === "allow"),
  );
}

const EFFECTS: Readonly<Record<PermissionKind, string>> = {
  allow: "allows it",
  ask: "requires approval",
  deny: "denies it",
};

function byRule(kind: PermissionKind, rule: PolicyRule): PermissionDecision {
  const shown = terminalSafeLine(`${rule.text} (from ${rule.source})`);
  return { kind, reason: `The rule ${shown} ${EFFECTS[kind]}.`, rule };
}

function byPlanMode({ tool }: PermissionRequest): PermissionDecision {
  const reason = `Plan mode is read-only, and ${terminalSafeLine(tool)} can make changes.`;
  return { kind: "deny", reason };
}

/** MCP servers describe their own tools, so their claim to be read-only is not trusted. */
function isTrustedReadOnly({ permission, isReadOnly }: PermissionRequest): boolean {
  return isReadOnly && categoryOf(permission) !== "mcp";
}

function byMode(
  { permission }: PermissionRequest,
  mode: PermissionMode,
): PermissionDecision | undefined {
  if (mode === "yolo") {
    return { kind: "allow", reason: "In yolo mode, only rules lead to a question." };
  }
  if (mode === "accept-edits" && permission === "fs.write") {
    return { kind: "allow", reason: "In accept-edits mode, files are written without asking." };
  }
  return undefined;
}

/** A confined call needs no approval, unless it needs more than it gets or can discard work. */
function bySandbox(
  { sandbox }: PermissionRequest,
  mode: PermissionMode,
): PermissionDecision | undefined {
  if (sandbox === undefined) return undefined;
  // Edits that need no approval include those by commands.
  const free = mode === "accept-edits" && sandbox.canWrite ? "workspace" : "read-only";
  const isEnough = includesAccess(free, sandbox.needs) || free === widestAccess(sandbox);
  if (isEnough && (sandbox.discards === undefined || free === "read-only")) {
    return { kind: "allow", reason: ALLOWED_IN_SANDBOX[free], access: free };
  }
  const access = approvedAccess(sandbox);
  const reason = isEnough ? `${sandbox.discards} can discard work.` : SANDBOX_QUESTIONS[access];
  return { kind: "ask", reason: terminalSafeLine(reason), access };
}

const ALLOWED_IN_SANDBOX: Readonly<Record<SandboxAccess, string>> = {
  "read-only": "In the sandbox, the command can change nothing.",
  workspace: "In the sandbox, the command can change the workspace only.",
  outside: "",
};

const SANDBOX_QUESTIONS: Readonly<Record<SandboxAccess, string>> = {
  "read-only": "It cannot get more access: it runs in the sandbox, where it can change nothing.",
  workspace: "It needs to write. It would run in the sandbox, with write access to the workspace.",
  outside: "It needs more than the sandbox allows. It would run outside of the sandbox.",
};

function byDefault(
  request: PermissionRequest,
  { defaults: rows = PERMISSION_DEFAULTS }: PermissionPolicy,
): PermissionDecision {
  const category = categoryOf(request.permission);
  const isReadOnly = isTrustedReadOnly(request);
  const row = rows.find(
    (candidate) =>
      (candidate.category ?? category) === category &&
      (candidate.isReadOnly ?? isReadOnly) === isReadOnly,
  );
  const { kind, reason } = row ?? EVERYTHING_ELSE;
  return { kind, reason };
}

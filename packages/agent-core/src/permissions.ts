import { terminalSafeLine } from "@caliban/common";
import type { PermissionRule } from "./permission-rule.ts";
import { isCaughtBy, isCoveredBy, type PermissionRequest } from "./rule-match.ts";
import { categoryOf } from "./tool.ts";

/** What becomes of a call. */
export type PermissionKind = "allow" | "ask" | "deny";

/** A rule that knows where it was set: a file as it is shown, or a flag such as `--deny`. */
export interface PolicyRule extends PermissionRule {
  readonly source: string;
}

/** What holds for the calls that a row describes when no rule speaks of them. */
export interface PermissionDefault {
  /** Only for this category. */
  readonly category?: string;
  /** Only for tools that look, or only for those that do more. */
  readonly isReadOnly?: boolean;
  /** Denials have a rule or plan mode behind them, so that the model can be told what to do about it. */
  readonly kind: Exclude<PermissionKind, "deny">;
  readonly reason: string;
}

/** What the person, the repository and the session say about calls. */
export interface PermissionPolicy {
  readonly allow: readonly PolicyRule[];
  readonly ask: readonly PolicyRule[];
  readonly deny: readonly PolicyRule[];
  /** Rows instead of `PERMISSION_DEFAULTS`, the first that fits counts; what none fits is asked about. */
  readonly defaults?: readonly PermissionDefault[] | undefined;
  readonly mode: "default" | "plan";
}

/** What becomes of a call, why, and the rule that says so when one does. */
export interface PermissionDecision {
  readonly kind: PermissionKind;
  /** A sentence, harmless on a terminal. */
  readonly reason: string;
  readonly rule?: PolicyRule;
}

/** What holds where no rule does. */
export const PERMISSION_DEFAULTS: readonly PermissionDefault[] = [
  { category: "memory", kind: "allow", reason: "The agent's own notes need no permission." },
  { isReadOnly: true, kind: "allow", reason: "Tools that only look need no permission." },
];

const EVERYTHING_ELSE: PermissionDefault = {
  kind: "ask",
  reason: "What may change something is asked about first.",
};

/** Deny beats ask beats allow, in whatever order the rules stand; no rule can make plan mode change things. */
export function decidePermission(
  request: PermissionRequest,
  policy: PermissionPolicy,
): PermissionDecision {
  const denied = policy.deny.find((rule) => isCaughtBy(request, rule));
  if (denied !== undefined) return byRule("deny", denied);
  if (policy.mode === "plan" && !request.isReadOnly) return inPlanMode(request);
  const asked = policy.ask.find((rule) => isCaughtBy(request, rule));
  if (asked !== undefined) return byRule("ask", asked);
  const allowed = policy.allow.find((rule) => isCoveredBy(request, rule));
  if (allowed !== undefined) return byRule("allow", allowed);
  return byDefault(request, policy.defaults ?? PERMISSION_DEFAULTS);
}

const EFFECTS: Readonly<Record<PermissionKind, string>> = {
  allow: "allows it",
  ask: "says to ask first",
  deny: "denies it",
};

function byRule(kind: PermissionKind, rule: PolicyRule): PermissionDecision {
  const place = terminalSafeLine(`${rule.text} (from ${rule.source})`);
  return { kind, reason: `The rule ${place} ${EFFECTS[kind]}.`, rule };
}

function inPlanMode({ tool }: PermissionRequest): PermissionDecision {
  const reason = `In plan mode tools only look, and ${terminalSafeLine(tool)} may change something.`;
  return { kind: "deny", reason };
}

function byDefault(
  { permission, isReadOnly }: PermissionRequest,
  rows: readonly PermissionDefault[],
): PermissionDecision {
  const row = rows.find(
    (candidate) =>
      (candidate.category ?? categoryOf(permission)) === categoryOf(permission) &&
      (candidate.isReadOnly ?? isReadOnly) === isReadOnly,
  );
  const { kind, reason } = row ?? EVERYTHING_ELSE;
  return { kind, reason };
}

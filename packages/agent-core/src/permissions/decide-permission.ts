import { terminalSafeLine } from "@caliban/common";
import type { PermissionRule } from "./permission-rule.ts";
import { isCaughtBy, isCoveredBy, type PermissionRequest } from "./match-rule.ts";
import { categoryOf } from "../tool.ts";

/** What becomes of a call. */
export type PermissionKind = "allow" | "ask" | "deny";

/** Every mode, from the usual one on; each changes what happens where no rule speaks. */
export const PERMISSION_MODES = ["default", "accept-edits", "plan", "yolo"] as const;

/** How much is asked: as usual, not about edits, nothing changes at all, or no questions but those of a rule. */
export type PermissionMode = (typeof PERMISSION_MODES)[number];

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
  readonly mode: PermissionMode;
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
  { category: "mcp", kind: "ask", reason: "What a server's tool does is asked about first." },
  { category: "memory", kind: "allow", reason: "The agent's own notes need no permission." },
  { isReadOnly: true, kind: "allow", reason: "Tools that only look need no permission." },
];

const EVERYTHING_ELSE: PermissionDefault = {
  kind: "ask",
  reason: "What may change something is asked about first.",
};

/**
 * Deny beats ask beats allow, in whatever order the rules stand. No rule can make plan mode change things, none but yolo
 * mode passes over what is protected, and yolo mode passes over no rule.
 */
export function decidePermission(
  request: PermissionRequest,
  policy: PermissionPolicy,
): PermissionDecision {
  const denied = policy.deny.find((rule) => isCaughtBy(request, rule));
  if (denied !== undefined) return byRule("deny", denied);
  if (policy.mode === "plan" && !onlyLooks(request)) return inPlanMode(request);
  const asked = policy.ask.find((rule) => isCaughtBy(request, rule));
  if (asked !== undefined) return byRule("ask", asked);
  if (policy.mode !== "yolo" && request.protectedBecause !== undefined) {
    return { kind: "ask", reason: terminalSafeLine(request.protectedBecause) };
  }
  const allowed = policy.allow.find((rule) => isCoveredBy(request, rule));
  if (allowed !== undefined) return byRule("allow", allowed);
  return byMode(request, policy.mode) ?? byDefault(request, policy.defaults ?? PERMISSION_DEFAULTS);
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

/** What a server says about its own tools is not relied on. */
function onlyLooks({ permission, isReadOnly }: PermissionRequest): boolean {
  return isReadOnly && categoryOf(permission) !== "mcp";
}

function byMode(
  { permission }: PermissionRequest,
  mode: PermissionMode,
): PermissionDecision | undefined {
  if (mode === "yolo") {
    return { kind: "allow", reason: "In yolo mode only rules lead to a question." };
  }
  if (mode === "accept-edits" && permission === "fs.write") {
    return { kind: "allow", reason: "In accept-edits mode files are written without a question." };
  }
  return undefined;
}

function byDefault(
  request: PermissionRequest,
  rows: readonly PermissionDefault[],
): PermissionDecision {
  const category = categoryOf(request.permission);
  const isReadOnly = onlyLooks(request);
  const row = rows.find(
    (candidate) =>
      (candidate.category ?? category) === category &&
      (candidate.isReadOnly ?? isReadOnly) === isReadOnly,
  );
  const { kind, reason } = row ?? EVERYTHING_ELSE;
  return { kind, reason };
}

import { terminalSafeLine } from "@caliban/common";
import { matchesDeny, type PermissionRequest } from "./match-rule.ts";
import type { PermissionRule } from "./permission-rule.ts";

/** All effects of an enforced rule, strongest first. */
export const ENFORCED_EFFECTS = ["deny", "ask", "note"] as const;

/** Forbid a call, ask the user before it, or let it run and add the reason to its result. */
export type EnforcedEffect = (typeof ENFORCED_EFFECTS)[number];

/** A memory that the user turned into a rule. It can only make a decision stricter, in every mode. */
export interface EnforcedRule extends PermissionRule {
  readonly effect: EnforcedEffect;
  /** The name of the memory. */
  readonly memory: string;
  /** Why, in the words of the memory. The model and the user read it. */
  readonly reason: string;
  /** Where the rule is stored, as it is displayed. */
  readonly source: string;
}

/** The enforced rules that match a call, each as widely as a deny rule. */
export function matchingEnforced(
  request: PermissionRequest,
  rules: readonly EnforcedRule[] = [],
): readonly EnforcedRule[] {
  return rules.filter((rule) => matchesDeny(request, rule));
}

/** Why a rule denies a call or asks about it, in one line. */
export function enforcedReason({ effect, memory, reason, text }: EnforcedRule): string {
  const sentence = endWithPeriod(`${INTRODUCTIONS[effect]} ${memory}: ${reason.trim()}`);
  return terminalSafeLine(`${sentence} Rule: ${text}.`);
}

/** The line that a rule adds to the result of a call. */
export function enforcedNote({ memory, reason }: EnforcedRule): string {
  return terminalSafeLine(`[enforced memory ${memory}] ${endWithPeriod(reason.trim())}`);
}

const INTRODUCTIONS: Readonly<Record<EnforcedEffect, string>> = {
  deny: "Denied by the enforced memory",
  ask: "Approval required by the enforced memory",
  note: "Note from the enforced memory",
};

function endWithPeriod(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

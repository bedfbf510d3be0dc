import {
  ENFORCED_EFFECTS,
  type EnforcedEffect,
  type EnforcedRule,
  findUnknownRules,
  parsePermissionRule,
} from "@caliban/agent-core";
import type { StoredTopic } from "@caliban/memory";
import { type Invocation, listOption } from "../../../command.ts";
import { KNOWN_TOOLS } from "../../../enforced/backtest.ts";
import type { EnforcedEntry } from "../../../enforced/enforced-file.ts";
import { UsageError } from "../../../usage-error.ts";
import { findInvalidRule } from "../../settings/check-rules.ts";

/** A rule of the command line. */
export type RequestedRule = Pick<EnforcedEntry, "effect" | "rule">;

/**
 * The rules of `--deny`, `--ask` and `--note`, in this order.
 * @throws UsageError for an invalid one, and for a name that looks like a typo: such a rule would protect nothing
 */
export function requestedRules(invocation: Invocation): readonly RequestedRule[] {
  if (invocation.permissions.allow.length > 0)
    throw new UsageError("an enforced rule can only tighten: use --deny, --ask or --note");
  const rules = ENFORCED_EFFECTS.flatMap((effect) =>
    given(invocation, effect).map((rule): RequestedRule => ({ effect, rule })),
  );
  const invalid = findInvalidRule(rules.map(({ rule }) => rule));
  if (invalid !== undefined) throw new UsageError(invalid);
  const typo = unknownNames(rules).find(({ message }) => message.includes("did you mean"));
  if (typo !== undefined) throw new UsageError(typo.message);
  return rules;
}

/** Warnings about names that no tool of caliban has: they may belong to a server. */
export function unknownNames(rules: readonly RequestedRule[]): ReturnType<typeof findUnknownRules> {
  const deny = rules.map((entry) => ({ ...toEnforcedRule(entry), source: `--${entry.effect}` }));
  return findUnknownRules({ allow: [], ask: [], deny, mode: "default" }, KNOWN_TOOLS);
}

function given(invocation: Invocation, effect: EnforcedEffect): readonly string[] {
  return effect === "note" ? listOption(invocation, "note") : invocation.permissions[effect];
}

/** The rule in the form that the permission gate uses. */
export function toEnforcedRule(
  entry: RequestedRule & Partial<Pick<EnforcedEntry, "memory" | "reason">>,
): EnforcedRule {
  const { effect, rule: text, memory = "", reason = "" } = entry;
  const parsed = parsePermissionRule(text);
  if ("problem" in parsed) throw new UsageError(parsed.problem);
  return { ...parsed.rule, effect, memory, reason, source: `enforced memory ${memory}` };
}

/** What a topic that says what it applies to would deny. */
export function draftedRules({ topic: { applies } }: StoredTopic): readonly RequestedRule[] {
  const texts = [
    ...(applies?.commands ?? []).map((pattern) => `Bash(${pattern})`),
    ...(applies?.paths ?? []).map((path) => `fs.write(${path})`),
  ];
  return texts
    .filter((rule) => findInvalidRule([rule]) === undefined)
    .map((rule) => ({ effect: "deny", rule }));
}

const MAX_REASON_CHARACTERS = 300;

/** Why, in the words of the topic: its description, or the first line of its text. */
export function reasonOf({ slug, topic: { description, body } }: StoredTopic): string {
  const line = description.trim() || (body.trim().split("\n", 1)[0] ?? "").trim();
  if (line === "") throw new UsageError(`topic ${slug} has no text to give as the reason`);
  const characters = Array.from(line);
  if (characters.length <= MAX_REASON_CHARACTERS) return line;
  return `${characters.slice(0, MAX_REASON_CHARACTERS - 1).join("")}…`;
}

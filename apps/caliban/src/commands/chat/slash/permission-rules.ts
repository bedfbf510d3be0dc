import { findUnknownRules, parsePermissionRule, type RuleSource } from "@caliban/agent-core";
import { terminalSafeLine } from "@caliban/common";
import { openProject } from "../../../project/project.ts";
import { runCaptured } from "./captured-run.ts";
import type { SlashInput, SlashResult } from "./slash-command.ts";

/** The lists of rules, from the strongest to the weakest. */
export const RULE_LISTS = ["deny", "ask", "allow"] as const;

type RuleList = RuleSource["list"];

/**
 * `/permissions allow|ask|deny RULE`: stores a rule in the user's settings, and applies it to the running conversation.
 * Takes the rule as typed, because a pattern contains blanks and quotes of its own. Quotes around the whole rule, as in
 * a shell, do not belong to it.
 */
export async function addRule(list: RuleList, input: SlashInput): Promise<SlashResult> {
  const { conversation, invocation } = input;
  const typed = input.rest.slice(list.length).trim();
  const text = /^(['"])(.*)\1$/s.exec(typed)?.[2]?.trim() ?? typed;
  if (text === "") return { kind: "error", text: `missing rule. Usage: ${usage(list)}` };
  const parsed = parsePermissionRule(text);
  if ("problem" in parsed) {
    const shown = terminalSafeLine(JSON.stringify(text));
    return { kind: "error", text: `${shown} is not a valid permission rule: ${parsed.problem}` };
  }
  const rule = { ...parsed.rule, source: `/permissions ${list}` };
  const policy = { allow: [], ask: [], deny: [], mode: "default", [list]: [rule] } as const;
  const [unknown] = findUnknownRules(policy, conversation.tools());
  if (unknown !== undefined) return { kind: "error", text: unknown.message };
  const { settings } = await openProject(invocation);
  const own = settings.trusted[`permissions.${list}`];
  if (!own.includes(text)) {
    const words = ["settings", "set", `permissions.${list}`, ...own, text];
    const stored = await runCaptured(words, input);
    // A rule that is not stored does not apply either: the user would rely on it.
    if (stored.kind !== "text") return stored;
  }
  const isKnown = conversation.policy()[list].some((known) => known.text === text);
  if (!isKnown) conversation.addRule(list, rule);
  return {
    kind: "text",
    text: [`${list} ${text}: ${EFFECTS[list]}`, ...stronger(list, text, input)].join("\n"),
  };
}

function usage(list: RuleList): string {
  return `/permissions ${list} <rule>, such as Bash(pnpm test *) or fs.write`;
}

const EFFECTS: Readonly<Record<RuleList, string>> = {
  allow: "calls that match run without a question from now on.",
  ask: "calls that match need your approval from now on.",
  deny: "calls that match are refused from now on.",
};

/** The same rule in a list that takes precedence. */
function stronger(list: RuleList, text: string, { conversation }: SlashInput): readonly string[] {
  const policy = conversation.policy();
  return RULE_LISTS.slice(0, RULE_LISTS.indexOf(list)).flatMap((other) =>
    policy[other]
      .filter((rule) => rule.text === text)
      .map(
        ({ source }) =>
          `It has no effect yet: ${other} takes precedence (${terminalSafeLine(source)}).`,
      ),
  );
}

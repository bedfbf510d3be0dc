import {
  type EnforcedEffect,
  PERMISSION_MODES,
  type PermissionPolicy,
  type PolicyRule,
} from "@caliban/agent-core";
import { nearest, terminalSafeLine } from "@caliban/common";
import { MODE_DESCRIPTIONS } from "@caliban/tui";
import { addRule, RULE_LISTS } from "./permission-rules.ts";
import type { SlashInput, SlashResult } from "./slash-command.ts";

/**
 * `/permissions`: shows rules and mode; `/permissions plan`: switches the mode; `/permissions allow …`: adds a rule;
 * `/permissions forget …`: revokes an "always".
 */
export async function permissions(input: SlashInput): Promise<SlashResult> {
  const { conversation, words } = input;
  const [verb, ...rest] = words;
  if (verb === undefined) {
    const text = renderPolicy(conversation.policy(), await conversation.approvals());
    return { kind: "text", text };
  }
  if (verb === FORGET) return await forget(input);
  const list = RULE_LISTS.find((known) => known === verb);
  if (list !== undefined) return await addRule(list, input);
  const names = verb === "mode" ? rest : words;
  const [name = ""] = names;
  const mode = PERMISSION_MODES.find((known) => known === name);
  if (mode === undefined || names.length > 1) return unknownMode(names.join(" "));
  conversation.useMode(mode);
  return { kind: "text", text: `mode ${mode}: ${MODE_DESCRIPTIONS[mode]}` };
}

const FORGET = "forget";

/** Takes the argument as typed, because a command contains quotes and blanks of its own. */
async function forget({ conversation, rest }: SlashInput): Promise<SlashResult> {
  const typed = rest.slice(FORGET.length).trim();
  const approvals = await conversation.approvals();
  if (typed === "") {
    const list = approvals.length === 0 ? "There are none." : numbered(approvals).join("\n");
    return { kind: "error", text: `missing argument. Usage: ${FORGET_USAGE}\n${list}` };
  }
  const matches = matchingApprovals(typed, approvals);
  if (matches.length > 1) {
    const rows = numbered(approvals).filter((_, index) => matches.includes(approvals[index] ?? ""));
    const text = `several match. Use a number:\n${rows.join("\n")}`;
    return { kind: "error", text };
  }
  const [approval] = matches;
  if (approval === undefined || !(await conversation.forget(approval))) {
    return { kind: "error", text: `no "always" matches. To list them: /permissions` };
  }
  return { kind: "text", text: `The agent will ask again: ${row(approval)}` };
}

const FORGET_USAGE = "/permissions forget <number or first characters>";

/** Matches by number, by the full text, or by its beginning; several where that is ambiguous. */
function matchingApprovals(typed: string, approvals: readonly string[]): readonly string[] {
  if (/^\d+$/.test(typed)) return approvals.filter((_, index) => index + 1 === Number(typed));
  const exact = approvals.filter((each) => each === typed || asRule(each) === typed);
  if (exact.length > 0) return exact;
  const line = oneLine(typed);
  const same = approvals.filter((each) => oneLine(each) === line);
  if (same.length > 0) return same;
  // A truncated row is the beginning of its approval.
  const beginning = line.replace(/…$/, "");
  return beginning === "" ? [] : approvals.filter((each) => oneLine(each).startsWith(beginning));
}

function numbered(approvals: readonly string[]): readonly string[] {
  return approvals.map((approval, index) => `${index + 1}. ${row(approval)}`);
}

/** An approval as a rule would spell it. */
function asRule(approval: string): string {
  return approval.replace(/^permission:/, "");
}

function oneLine(approval: string): string {
  return terminalSafeLine(asRule(approval).replaceAll(/\s*\n\s*/g, " ⏎ "));
}

const MAX_ROW_CHARACTERS = 100;

function row(approval: string): string {
  const characters = Array.from(oneLine(approval));
  if (characters.length <= MAX_ROW_CHARACTERS) return characters.join("");
  return `${characters.slice(0, MAX_ROW_CHARACTERS - 1).join("")}…`;
}

function unknownMode(name: string): SlashResult {
  const suggestion = nearest(name, PERMISSION_MODES);
  const hint = suggestion === undefined ? "" : ` Did you mean ${suggestion}?`;
  const text = `unknown mode "${terminalSafeLine(name)}".${hint} Available: ${PERMISSION_MODES.join(", ")}. Usage: /permissions mode <mode>`;
  return { kind: "error", text };
}

/** Deny comes first, because it overrides the others. */
function renderPolicy(
  { allow, ask, deny, enforced = [], mode }: PermissionPolicy,
  approvals: readonly string[],
): string {
  const enforcing = (effect: EnforcedEffect): readonly PolicyRule[] =>
    enforced.filter((rule) => rule.effect === effect);
  const lists = [
    ["deny", deny],
    ["ask", [...enforcing("ask"), ...ask]],
    ["note", enforcing("note")],
    ["allow", allow],
  ] as const;
  const lines = lists.flatMap(([list, rules]) => rules.map((rule) => ruleLine(list, rule)));
  const rules = lines.length === 0 ? ["no rules configured"] : lines;
  return [
    `mode   ${mode}: ${MODE_DESCRIPTIONS[mode]}`,
    ...rules,
    ...numbered(approvals).map((each) => `always ${each}  (your answer)`),
    ...(approvals.length === 0 ? [] : [`To revoke an "always": ${FORGET_USAGE}`]),
    "Without a rule, memory, reading in the workspace and commands that only read it are allowed; the agent asks about the rest.",
    "To add a rule: /permissions allow|ask|deny <rule>. Others come from flags (--allow, --ask, --deny) and enforced topics (/memory enforce).",
  ].join("\n");
}

function ruleLine(list: string, { text, source }: PolicyRule): string {
  return `${list.padEnd(6)} ${terminalSafeLine(text)}  (${terminalSafeLine(source)})`;
}

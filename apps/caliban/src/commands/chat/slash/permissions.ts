import {
  PERMISSION_MODES,
  type PermissionMode,
  type PermissionPolicy,
  type PolicyRule,
} from "@caliban/agent-core";
import { nearest, terminalSafeLine } from "@caliban/common";
import type { SlashInput, SlashResult } from "./slash-command.ts";

/** `/permissions`: the rules and the mode; `/permissions plan`: another mode; `/permissions forget …`: asked about again. */
export async function permissions(input: SlashInput): Promise<SlashResult> {
  const { conversation, words } = input;
  const [verb, ...rest] = words;
  if (verb === undefined) {
    const text = renderPolicy(conversation.policy(), await conversation.approvals());
    return { kind: "text", text };
  }
  if (verb === FORGET) return await forget(input);
  const names = verb === "mode" ? rest : words;
  const [name = ""] = names;
  const mode = PERMISSION_MODES.find((known) => known === name);
  if (mode === undefined || names.length > 1) return unknownMode(names.join(" "));
  conversation.useMode(mode);
  return { kind: "text", text: `mode ${mode}: ${MODE_DOCS[mode]}` };
}

const FORGET = "forget";

/** As it was typed, because a command has quotes and blanks of its own. */
async function forget({ conversation, rest }: SlashInput): Promise<SlashResult> {
  const typed = rest.slice(FORGET.length).trim();
  const known = await conversation.approvals();
  if (typed === "") {
    const names = known.length === 0 ? "There is none." : numbered(known).join("\n");
    return { kind: "mistake", text: `Say which answer: ${HOW_TO_FORGET}\n${names}` };
  }
  const meant = meantBy(typed, known);
  if (meant.length > 1) {
    const rows = numbered(known).filter((_, index) => meant.includes(known[index] ?? ""));
    const text = `More than one answer begins like that; take its number.\n${rows.join("\n")}`;
    return { kind: "mistake", text };
  }
  const [approval] = meant;
  if (approval === undefined || !(await conversation.forget(approval))) {
    const text = `Nothing was answered "always" by that name; /permissions shows what was.`;
    return { kind: "mistake", text };
  }
  return { kind: "text", text: `It is asked about again: ${row(approval)}` };
}

const HOW_TO_FORGET = "/permissions forget <number, or how it begins>";

/** By number, by the whole text, or by its beginning; more than one where the text does not tell them apart. */
function meantBy(typed: string, known: readonly string[]): readonly string[] {
  if (/^\d+$/.test(typed)) return known.filter((_, index) => index + 1 === Number(typed));
  const whole = known.filter((each) => each === typed || asRule(each) === typed);
  if (whole.length > 0) return whole;
  const line = oneLine(typed);
  const same = known.filter((each) => oneLine(each) === line);
  if (same.length > 0) return same;
  // A row that was cut is the beginning of its answer.
  const beginning = line.replace(/…$/, "");
  return beginning === "" ? [] : known.filter((each) => oneLine(each).startsWith(beginning));
}

function numbered(approvals: readonly string[]): readonly string[] {
  return approvals.map((approval, index) => `${index + 1}. ${row(approval)}`);
}

/** As a rule would be written. */
function asRule(approval: string): string {
  return approval.replace(/^permission:/, "");
}

function oneLine(approval: string): string {
  return terminalSafeLine(asRule(approval).replaceAll(/\s*\n\s*/g, " ⏎ "));
}

const MOST_CHARACTERS = 100;

function row(approval: string): string {
  const characters = Array.from(oneLine(approval));
  if (characters.length <= MOST_CHARACTERS) return characters.join("");
  return `${characters.slice(0, MOST_CHARACTERS - 1).join("")}…`;
}

const MODE_DOCS: Readonly<Record<PermissionMode, string>> = {
  default: "writes and commands are asked about",
  "accept-edits": "files in the workspace are changed without a question; commands are asked about",
  plan: "nothing is changed; the agent reads and proposes",
  yolo: "nothing is asked about, except where a rule says so",
};

function unknownMode(name: string): SlashResult {
  const meant = nearest(name, PERMISSION_MODES);
  const hint = meant === undefined ? "" : ` Did you mean ${meant}?`;
  const text = `The modes are ${PERMISSION_MODES.join(", ")}: /permissions mode <mode>.${hint}`;
  return { kind: "mistake", text };
}

/** Deny first, because it beats the others. */
function renderPolicy(
  { allow, ask, deny, mode }: PermissionPolicy,
  approvals: readonly string[],
): string {
  const lists = [
    ["deny", deny],
    ["ask", ask],
    ["allow", allow],
  ] as const;
  const lines = lists.flatMap(([list, rules]) => rules.map((rule) => ruleLine(list, rule)));
  const rules = lines.length === 0 ? ["no rules of yours"] : lines;
  return [
    `mode   ${mode}: ${MODE_DOCS[mode]}`,
    ...rules,
    ...numbered(approvals).map((each) => `always ${each}  (you said so)`),
    ...(approvals.length === 0 ? [] : [`${HOW_TO_FORGET} takes an “always” back.`]),
    "Without a rule: memory and reading in the workspace are allowed, the rest is asked about.",
    "Rules stand in settings (/settings permissions.allow) or flags (--allow, --ask, --deny).",
  ].join("\n");
}

function ruleLine(list: string, { text, source }: PolicyRule): string {
  return `${list.padEnd(6)} ${terminalSafeLine(text)}  (${terminalSafeLine(source)})`;
}

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
  const approval = rest.slice(FORGET.length).trim();
  const known = await conversation.approvals();
  if (approval === "") {
    const names = known.length === 0 ? "There is none." : known.map(shown).join("\n");
    return { kind: "mistake", text: `Say which answer: /permissions forget <answer>\n${names}` };
  }
  // A line break of a command is shown as something else, and that is what can be typed.
  const meant = known.find((each) => each === approval || shown(each) === approval);
  if (meant === undefined || !(await conversation.forget(meant))) {
    const text = `Nothing was answered "always" by that name; /permissions shows what was.`;
    return { kind: "mistake", text };
  }
  return { kind: "text", text: `It is asked about again: ${shown(meant)}` };
}

/** As a rule would be written. */
function shown(approval: string): string {
  return terminalSafeLine(approval.replace(/^permission:/, ""));
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
    ...approvals.map((approval) => `always ${shown(approval)}  (you said so)`),
    ...(approvals.length === 0 ? [] : ["/permissions forget <answer> takes an “always” back."]),
    "Without a rule: memory and reading in the workspace are allowed, the rest is asked about.",
    "Rules stand in settings (/settings permissions.allow) or flags (--allow, --ask, --deny).",
  ].join("\n");
}

function ruleLine(list: string, { text, source }: PolicyRule): string {
  return `${list.padEnd(6)} ${terminalSafeLine(text)}  (${terminalSafeLine(source)})`;
}

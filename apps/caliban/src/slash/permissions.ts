import {
  PERMISSION_MODES,
  type PermissionMode,
  type PermissionPolicy,
  type PolicyRule,
} from "@caliban/agent-core";
import { nearest, terminalSafeLine } from "@caliban/common";
import type { SlashInput, SlashResult } from "./slash-command.ts";

/** `/permissions`: the rules and the mode; `/permissions mode plan`: another mode. */
export async function permissions({ conversation, words }: SlashInput): Promise<SlashResult> {
  const [verb, name = ""] = words;
  if (verb === undefined) return { kind: "text", text: renderPolicy(conversation.policy()) };
  if (verb !== "mode")
    return { kind: "mistake", text: "It is /permissions, or /permissions mode <mode>." };
  const mode = PERMISSION_MODES.find((known) => known === name);
  if (mode === undefined) return unknownMode(name);
  conversation.useMode(mode);
  return { kind: "text", text: `mode ${mode}: ${MODE_DOCS[mode]}` };
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
  const text = `The modes are ${PERMISSION_MODES.join(", ")}.${hint}`;
  return { kind: "mistake", text };
}

/** Deny first, because it beats the others. */
function renderPolicy({ allow, ask, deny, mode }: PermissionPolicy): string {
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
    "Without a rule: memory and reading in the workspace are allowed, the rest is asked about.",
    "Rules stand in settings (/settings permissions.allow) or flags (--allow, --ask, --deny).",
  ].join("\n");
}

function ruleLine(list: string, { text, source }: PolicyRule): string {
  return `${list.padEnd(6)} ${terminalSafeLine(text)}  (${terminalSafeLine(source)})`;
}

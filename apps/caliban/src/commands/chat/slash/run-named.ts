import { terminalSafeLine } from "@caliban/common";
import type { ParsedSlash } from "@caliban/tui";
import type { ExpandedMessage } from "../custom/expand-named.ts";
import type { SlashInput, SlashResult, SlashRow } from "./slash-command.ts";
import { isBuiltIn } from "./slash-table.ts";

type UnknownSlash = ParsedSlash<SlashRow> & { readonly kind: "unknown" };

/** Runs a name that is not built in: a custom command or a skill, whose text becomes a message. */
export async function runNamed(
  { name, rest, words, suggestion }: UnknownSlash,
  input: Pick<SlashInput, "invocation" | "conversation">,
): Promise<SlashResult> {
  const expanded = await expand({ name, rest, words }, input);
  if (expanded.kind === "message") {
    return { kind: "send", text: expanded.text, notices: expanded.notices };
  }
  if (expanded.kind === "problem") return { kind: "error", text: expanded.message };
  const meant = suggestion ?? expanded.suggestion;
  const hint = meant === undefined ? "Type /help for a list" : `Did you mean /${meant}?`;
  return { kind: "error", text: `unknown command /${terminalSafeLine(name)}. ${hint}` };
}

/** Whether a name means a custom command or a skill. */
export async function isNamed(
  { name, rest, words }: UnknownSlash,
  input: Pick<SlashInput, "invocation" | "conversation">,
): Promise<boolean> {
  return (await expand({ name, rest, words }, input)).kind === "message";
}

/** Loaded with the first such name: most sessions have none. */
async function expand(
  typed: Pick<UnknownSlash, "name" | "rest" | "words">,
  input: Pick<SlashInput, "invocation" | "conversation">,
): Promise<ExpandedMessage> {
  const [{ expandNamed }, { loadNamedTexts }] = await Promise.all([
    import("../custom/expand-named.ts"),
    import("../custom/load-named-texts.ts"),
  ]);
  return expandNamed(typed, await loadNamedTexts({ ...input, isBuiltIn }));
}

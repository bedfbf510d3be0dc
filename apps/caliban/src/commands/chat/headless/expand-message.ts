import { splitArguments, terminalSafeLine } from "@caliban/common";
import type { Conversation } from "../../../conversation/conversation.ts";
import type { Invocation } from "../../../command.ts";
import { expandNamed } from "../custom/expand-named.ts";
import { loadNamedTexts } from "../custom/load-named-texts.ts";

/** What a message without a screen sends, or why it is not sent. */
export type ExpandedInput =
  | { readonly text: string; readonly notices: readonly string[] }
  | { readonly problem: string };

interface ExpandInput {
  readonly invocation: Pick<Invocation, "host" | "bare">;
  readonly conversation: Pick<Conversation, "receipt" | "skills">;
}

/**
 * Expands a message that starts with the name of a custom command or a skill. Any other message is sent as it is: without a
 * screen there are no other commands, and a text may start with a slash.
 */
export async function expandMessage(message: string, input: ExpandInput): Promise<ExpandedInput> {
  const { line, attached } = splitInput(message);
  const [, name, written = ""] = SLASH.exec(line) ?? [];
  if (name === undefined) return { text: message, notices: [] };
  // The table is part of the screen, which nothing else here needs.
  const { isBuiltIn } = await import("../slash/slash-table.ts");
  if (isBuiltIn(name)) {
    const notice = `/${name} works at the prompt of a session only, so this was sent as a message`;
    return { text: message, notices: [notice] };
  }
  const rest = written.trim();
  const texts = await loadNamedTexts({ ...input, isBuiltIn });
  const expanded = expandNamed({ name, rest, words: splitArguments(rest), attached }, texts);
  if (expanded.kind === "message") return { text: expanded.text, notices: expanded.notices };
  if (expanded.kind === "problem") return { problem: expanded.message };
  const meant = expanded.suggestion;
  const hint = meant === undefined ? "" : `. Did you mean /${meant}?`;
  const notice = `no command is named /${terminalSafeLine(name)}, so this was sent as a message${hint}`;
  return { text: message, notices: [notice] };
}

const SLASH = /^\s*\/([^\s/]+)(?:\s+([^]*))?$/;

/** Piped input comes after the line, in an element of its own. It is not an argument. */
function splitInput(message: string): { readonly line: string; readonly attached?: string } {
  const at = message.search(/\n\n<stdin>\n[^]*<\/stdin>$/);
  if (at === -1) return { line: message };
  return { line: message.slice(0, at), attached: message.slice(at + 2) };
}

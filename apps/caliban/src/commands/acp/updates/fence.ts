import { terminalSafe, terminalSafeLine } from "@caliban/common";
import type { ToolCallContent } from "@agentclientprotocol/sdk";

/** Longer output is in the session, and editors show it badly. */
const MAX_CHARACTERS = 50_000;

/**
 * Text of a tool as a code block. Editors render Markdown, and a link or an image in the output of others must stay text.
 * What is invisible, or changes the direction of a text, is visible.
 */
export function fenced(text: string): string {
  return fencedWhole(text.length <= MAX_CHARACTERS ? text : `${text.slice(0, MAX_CHARACTERS)}\n…`);
}

/** The same for what the user decides about: nothing of it may be missing. */
export function fencedWhole(text: string, language = ""): string {
  const body = terminalSafe(text.replaceAll("\r\n", "\n"));
  const longest = Math.max(2, ...Array.from(body.matchAll(/`+/g), ([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${body.trimEnd()}\n${fence}`;
}

/** A piece of a tool call that is Markdown. */
export function textContent(text: string): ToolCallContent {
  return { type: "content", content: { type: "text", text } };
}

/** A line of caliban in Markdown. It may name files, servers and topics of others, which must not load an image. */
export function plainLine(text: string): string {
  return terminalSafeLine(text)
    .replaceAll("![", String.raw`!\[`)
    .replaceAll(/<(?=[a-z/!?])/gi, String.raw`\<`);
}

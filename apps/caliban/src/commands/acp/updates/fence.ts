import type { ToolCallContent } from "@agentclientprotocol/sdk";

/** Longer output is in the session, and editors show it badly. */
const MAX_CHARACTERS = 50_000;

/**
 * Text of a tool as a code block. Editors render Markdown, and a link or an image in the output of others must stay text.
 */
export function fenced(text: string, language = ""): string {
  const body = text.length <= MAX_CHARACTERS ? text : `${text.slice(0, MAX_CHARACTERS)}\n…`;
  const longest = Math.max(2, ...Array.from(body.matchAll(/`+/g), ([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${body.trimEnd()}\n${fence}`;
}

/** A piece of a tool call that is Markdown. */
export function textContent(text: string): ToolCallContent {
  return { type: "content", content: { type: "text", text } };
}

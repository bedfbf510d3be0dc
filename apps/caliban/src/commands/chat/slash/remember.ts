import { spellCommands, terminalSafe } from "@caliban/common";
import type { SlashInput, SlashResult } from "./slash-command.ts";

/** `/remember TEXT`: saves the text at once, and says as what. */
export async function remember({
  rest,
  conversation,
  invocation,
}: SlashInput): Promise<SlashResult> {
  if (rest === "")
    return { kind: "error", text: "missing text. Example: /remember we deploy with pnpm ship" };
  const { isSaved, message } = await conversation.remember(rest);
  const text = terminalSafe(spellCommands(message, invocation.host.command));
  return { kind: isSaved ? "text" : "error", text };
}

import type { SlashInput, SlashResult } from "./slash-command.ts";

/** `/compact [WISH]`: what came of it is told by the conversation itself. */
export async function compact({ conversation, rest }: SlashInput): Promise<SlashResult> {
  if (conversation.messages().length === 0)
    return { kind: "mistake", text: "There is nothing to summarize yet." };
  await conversation.compact(rest === "" ? undefined : rest);
  return { kind: "text", text: "" };
}

import type { SlashInput, SlashResult } from "./slash-command.ts";

/** `/clear`: a new conversation. */
export async function clear({ conversation }: SlashInput): Promise<SlashResult> {
  await conversation.clear();
  return { kind: "renewed", text: "A new conversation. Memory was read again." };
}

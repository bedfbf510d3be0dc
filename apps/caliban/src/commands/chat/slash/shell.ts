import type { SlashInput, SlashResult } from "./slash-command.ts";

/** `!COMMAND`: runs a command of the user. The conversation shows its output. */
export async function shell({ rest, conversation }: SlashInput): Promise<SlashResult> {
  if (rest === "") return { kind: "error", text: "missing command. Example: !git status" };
  await conversation.runCommand(rest);
  return { kind: "text", text: "" };
}

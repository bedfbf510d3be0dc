import { renderHooks } from "../../hooks/render-hooks.ts";
import type { SlashInput, SlashResult } from "./slash-command.ts";

/** `/hooks`: the hooks of this conversation and what they did. */
export async function hooks({ conversation, invocation }: SlashInput): Promise<SlashResult> {
  const summaries = await conversation.hooks();
  return { kind: "text", text: renderHooks(summaries, invocation.host.command) };
}

import { renderExplanation, renderSummary } from "@caliban/memory";
import { renderReceipt } from "../commands/memory.ts";
import { runCaptured } from "./captured-run.ts";
import type { SlashInput, SlashResult } from "./slash-command.ts";

/**
 * `/memory VERB …`: what `caliban memory` does. What is in the prompt is told from the conversation's own receipt,
 * because files may have changed since it was built.
 */
export async function memory(input: SlashInput): Promise<SlashResult> {
  const { conversation, words, invocation } = input;
  const { host } = invocation;
  const [verb, ...rest] = words;
  if (rest.length === 0 && (verb === undefined || verb === "explain")) {
    const render = verb === undefined ? renderSummary : renderExplanation;
    const text = renderReceipt(host, conversation.receipt(), render);
    return { kind: "text", text: `${text}${WHAT_IT_IS}` };
  }
  if (verb === "reload" && rest.length === 0) {
    const receipt = await conversation.reload();
    return { kind: "text", text: `Memory was read again.\n${renderReceipt(host, receipt)}` };
  }
  return await runCaptured(["memory", ...words], input);
}

const WHAT_IT_IS =
  "This is what the prompt was built from. /memory list shows the notes as they are now, /memory reload reads all again.\n";

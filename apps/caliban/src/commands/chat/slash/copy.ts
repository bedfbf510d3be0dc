import { utf8Bytes } from "@caliban/common";
import type { Message } from "@caliban/agent-core";
import type { SlashInput, SlashResult } from "./slash-command.ts";

/** Terminals ignore longer sequences. */
const MAX_BYTES = 74_000;

/** `/copy`: puts the last answer into the clipboard, through the terminal, so that it also works over SSH. */
export async function copyAnswer({ conversation, invocation }: SlashInput): Promise<SlashResult> {
  const answer = conversation
    .messages()
    .map(textOf)
    .findLast((text) => text.trim() !== "");
  if (answer === undefined) return { kind: "error", text: "No answer to copy yet." };
  const bytes = utf8Bytes(answer);
  if (bytes > MAX_BYTES) {
    const text = `The answer is too long for the clipboard of a terminal (${bytes.toLocaleString("en-US")} bytes). Write it to a file with: /export`;
    return { kind: "error", text };
  }
  // OSC 52. As Base64, no text can end the sequence.
  invocation.host.stdout(`\u001B]52;c;${Buffer.from(answer, "utf8").toString("base64")}\u0007`);
  const count = Array.from(answer).length.toLocaleString("en-US");
  return {
    kind: "text",
    text: `Sent ${count} characters to the clipboard. If nothing arrives, the terminal does not support OSC 52 or has it turned off.`,
  };
}

function textOf(message: Message): string {
  if (message.role !== "assistant") return "";
  return message.parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("");
}

import { estimateTokens } from "@caliban/common";
import type { AssistantPart, Message } from "../message.ts";

/** Estimates how many tokens of the context window a message uses, with the same estimate as memory. */
export function messageTokens(message: Message): number {
  switch (message.role) {
    case "user":
      return estimateTokens(message.text + (message.note ?? ""));
    case "assistant":
      return message.parts.reduce((sum, part) => sum + partTokens(part), 0);
    case "tool":
      return message.results.reduce((sum, { text }) => sum + estimateTokens(text), 0);
  }
}

/** Estimates the tokens of a whole conversation. */
export function conversationTokens(messages: readonly Message[]): number {
  return messages.reduce((sum, message) => sum + messageTokens(message), 0);
}

function partTokens(part: AssistantPart): number {
  return part.type === "tool-call"
    ? estimateTokens(part.name + JSON.stringify(part.input))
    : estimateTokens(part.text);
}

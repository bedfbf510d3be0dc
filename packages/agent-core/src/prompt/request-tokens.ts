import { estimateTokens } from "@caliban/common";
import type { Message } from "../message.ts";
import type { Tool } from "../tool.ts";
import { conversationTokens } from "./message-tokens.ts";
import type { SystemPrompt } from "./system-prompt.ts";

/** What every request contains before the first message. */
export interface RequestHead {
  readonly prompt: SystemPrompt;
  readonly tools: readonly Tool[];
}

/**
 * The tokens of the next request. Uses the provider's count of the last one where it gave one, and estimates what was
 * added since.
 */
export function requestTokens(head: RequestHead, messages: readonly Message[]): number {
  const counted = messages.findLastIndex(
    (message) => message.role === "assistant" && (message.usage?.inputTokens ?? 0) > 0,
  );
  const message = messages[counted];
  if (message?.role !== "assistant" || message.usage === undefined) {
    return estimateTokens(head.prompt.text) + toolTokens(head.tools) + conversationTokens(messages);
  }
  const { inputTokens, outputTokens } = message.usage;
  return inputTokens + outputTokens + conversationTokens(messages.slice(counted + 1));
}

/** The estimated tokens of the tools' names, descriptions and schemas. */
export function toolTokens(tools: readonly Tool[]): number {
  return tools.reduce(
    (sum, { name, description, inputSchema }) =>
      sum + estimateTokens(name + description + JSON.stringify(inputSchema)),
    0,
  );
}

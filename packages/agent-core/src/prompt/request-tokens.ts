import { estimateTokens } from "@caliban/common";
import type { Message } from "../message.ts";
import type { Tool } from "../tool.ts";
import { conversationTokens } from "./message-tokens.ts";

interface RequestContent {
  readonly system: string;
  readonly tools: readonly Tool[];
  readonly messages: readonly Message[];
}

/**
 * The tokens of the next request. Uses the provider's count of the last one where it gave one, and estimates what was
 * added since.
 */
export function requestTokens({ system, tools, messages }: RequestContent): number {
  const counted = messages.findLastIndex(
    (message) => message.role === "assistant" && (message.usage?.inputTokens ?? 0) > 0,
  );
  const message = messages[counted];
  if (message?.role !== "assistant" || message.usage === undefined) {
    return estimateTokens(system) + toolTokens(tools) + conversationTokens(messages);
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

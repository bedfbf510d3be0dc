import {
  conversationTokens,
  type Message,
  type SystemPrompt,
  type Tool,
} from "@caliban/agent-core";
import { estimateTokens } from "@caliban/common";
import type { Receipt } from "@caliban/memory";
import type { ContextUse } from "../conversation.ts";

/** What stands in every request before the first message. */
export interface FixedParts {
  readonly prompt: SystemPrompt;
  readonly tools: readonly Tool[];
}

/** What fills the window, in the order in which the model reads it. */
export function windowParts(
  { prompt, tools }: FixedParts,
  receipt: Receipt,
  messages: readonly Message[],
): ContextUse["parts"] {
  const sections = (names: readonly string[]): number =>
    prompt.sections
      .filter(({ name }) => names.includes(name))
      .reduce((sum, { text }) => sum + estimateTokens(text), 0);
  const tier = (wanted: string): number =>
    receipt.entries
      // What a file imports is counted with the file.
      .filter((entry) => entry.tier === wanted && entry.kind !== "import")
      .reduce((sum, { tokens }) => sum + tokens, 0);
  const parts = [
    { name: "global memory", tokens: tier("global") },
    { name: "project memory", tokens: tier("project") },
    { name: "auto-memory", tokens: tier("auto") },
    { name: "learned memory", tokens: tier("extra") },
    { name: "skills", tokens: sections(["skills"]) },
    {
      name: "system prompt",
      tokens: sections(["identity", "environment", "tools", "conventions", "body", "appended"]),
    },
    { name: "tools", tokens: toolTokens(tools) },
    { name: "conversation", tokens: conversationTokens(messages) },
  ];
  return parts.filter(({ tokens }) => tokens > 0);
}

/** What the next request takes: as the provider counted the last one, where it did, and by estimate what came since. */
export function usedTokens(fixed: FixedParts, messages: readonly Message[]): number {
  const counted = messages.findLastIndex(
    (message) => message.role === "assistant" && (message.usage?.inputTokens ?? 0) > 0,
  );
  const message = messages[counted];
  if (message?.role !== "assistant" || message.usage === undefined) {
    return (
      estimateTokens(fixed.prompt.text) + toolTokens(fixed.tools) + conversationTokens(messages)
    );
  }
  const { inputTokens, outputTokens } = message.usage;
  return inputTokens + outputTokens + conversationTokens(messages.slice(counted + 1));
}

function toolTokens(tools: readonly Tool[]): number {
  return tools.reduce(
    (sum, { name, description, inputSchema }) =>
      sum + estimateTokens(name + description + JSON.stringify(inputSchema)),
    0,
  );
}

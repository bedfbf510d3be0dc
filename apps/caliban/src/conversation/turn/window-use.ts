import { conversationTokens, type Message, toolTokens } from "@caliban/agent-core";
import { estimateTokens } from "@caliban/common";
import type { OpenAgent } from "./state.ts";

/** What fills the model's context window, part by part. */
export interface WindowUse {
  readonly windowTokens: number;
  readonly parts: readonly { readonly name: string; readonly tokens: number }[];
}

/** Lists the parts in the order in which the model reads them. */
export function windowParts(
  { prompt, tools, receipt }: Pick<OpenAgent, "prompt" | "tools" | "receipt">,
  messages: readonly Message[],
): WindowUse["parts"] {
  const sections = (names: readonly string[]): number =>
    prompt.sections
      .filter(({ name }) => names.includes(name))
      .reduce((sum, { text }) => sum + estimateTokens(text), 0);
  const tier = (wanted: string): number =>
    receipt.entries
      // An import is counted with the file that imports it.
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

import type { LanguageModelV4Message, LanguageModelV4Prompt } from "@ai-sdk/provider";
import type { ChosenModel } from "./resolve-model.ts";

const MARK = { anthropic: { cacheControl: { type: "ephemeral" } } } as const;

/** How many of the last messages of the person or of tools are marked: this request's, and the one's before. */
const MARKED_MESSAGES = 2;

/**
 * Marks up to where a provider is to keep a prompt: the system message, and with it the tools before it, and the end of
 * the conversation. Only Anthropic's protocol wants marks; the others find what they know by themselves.
 */
export function markCache(
  prompt: LanguageModelV4Prompt,
  api: ChosenModel["api"],
): LanguageModelV4Prompt {
  if (api !== "anthropic") return prompt;
  const spoken = prompt.flatMap(({ role }, index) =>
    role === "user" || role === "tool" ? [index] : [],
  );
  const marked = new Set(spoken.slice(-MARKED_MESSAGES));
  const system = prompt.findLastIndex(({ role }) => role === "system");
  return prompt.map((message, index) =>
    index === system || marked.has(index) ? withMark(message) : message,
  );
}

function withMark(message: LanguageModelV4Message): LanguageModelV4Message {
  return { ...message, providerOptions: { ...message.providerOptions, ...MARK } };
}

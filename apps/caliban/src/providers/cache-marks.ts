import type {
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  SharedV4ProviderOptions,
} from "@ai-sdk/provider";
import type { ChosenModel } from "./resolve-model.ts";

const MARK: SharedV4ProviderOptions = { anthropic: { cacheControl: { type: "ephemeral" } } };

/** The end of what the model was told, and where the next request will find the end of this one. */
const MARKED_TURNS = 2;

/**
 * The prompt with the places marked up to which the provider may keep it: the last system message, before which are the
 * tools and the memory prefix, and the last two things said to the model. Only Anthropic needs to be told.
 */
export function markForCache(
  prompt: LanguageModelV4Prompt,
  api: ChosenModel["api"],
): LanguageModelV4Prompt {
  if (api !== "anthropic") return prompt;
  const system = prompt.findLastIndex(({ role }) => role === "system");
  const said = prompt.flatMap(({ role }, index) =>
    role === "user" || role === "tool" ? [index] : [],
  );
  const marked = new Set([system, ...said.slice(-MARKED_TURNS)]);
  return prompt.map((message, index) => (marked.has(index) ? withMark(message) : message));
}

function withMark(message: LanguageModelV4Message): LanguageModelV4Message {
  const { anthropic, ...others } = message.providerOptions ?? {};
  return {
    ...message,
    providerOptions: { ...others, anthropic: { ...anthropic, ...MARK["anthropic"] } },
  };
}

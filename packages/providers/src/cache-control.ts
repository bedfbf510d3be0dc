import type {
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  SharedV4ProviderOptions,
} from "@ai-sdk/provider";
import type { ResolvedModel } from "./resolve-model.ts";

const BREAKPOINT: SharedV4ProviderOptions = {
  anthropic: { cacheControl: { type: "ephemeral" } },
};

/** The end of this request, and the end of the previous one, which is already cached. */
const MARKED_TURNS = 2;

/**
 * Marks how far the provider may cache the prompt: up to the last system message, which follows the tools and the memory
 * prefix, and up to the last two user or tool messages. Only Anthropic needs explicit marks.
 */
export function addCacheControl(
  prompt: LanguageModelV4Prompt,
  api: ResolvedModel["api"],
): LanguageModelV4Prompt {
  if (api !== "anthropic") return prompt;
  const system = prompt.findLastIndex(({ role }) => role === "system");
  const inputs = prompt.flatMap(({ role }, index) =>
    role === "user" || role === "tool" ? [index] : [],
  );
  const marked = new Set([system, ...inputs.slice(-MARKED_TURNS)]);
  return prompt.map((message, index) => (marked.has(index) ? withBreakpoint(message) : message));
}

function withBreakpoint(message: LanguageModelV4Message): LanguageModelV4Message {
  const { anthropic, ...others } = message.providerOptions ?? {};
  return {
    ...message,
    providerOptions: { ...others, anthropic: { ...anthropic, ...BREAKPOINT["anthropic"] } },
  };
}

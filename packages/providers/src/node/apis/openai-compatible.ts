import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { LanguageModelV4 } from "@ai-sdk/provider";
import type { ProviderInput } from "./provider-input.ts";

/** A model behind the Chat Completions API, which most servers speak. */
export function createCompatibleModel(input: ProviderInput): LanguageModelV4 {
  const { provider, model, baseUrl: baseURL, apiKey, fetch } = input;
  const key = apiKey === "" ? {} : { apiKey };
  return createOpenAICompatible({ name: provider, baseURL, fetch, includeUsage: true, ...key })(
    model,
  );
}

import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { LanguageModelV4 } from "@ai-sdk/provider";
import type { ProviderInput } from "./provider-input.ts";

/** A model that is spoken to by Chat Completions, as most servers do. */
export function createCompatibleModel(input: ProviderInput): LanguageModelV4 {
  const { provider, model, baseUrl: baseURL, apiKey, fetch } = input;
  const key = apiKey === "" ? {} : { apiKey };
  return createOpenAICompatible({ name: provider, baseURL, fetch, includeUsage: true, ...key })(
    model,
  );
}

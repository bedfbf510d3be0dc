import { createAnthropic } from "@ai-sdk/anthropic";
import type { LanguageModelV4 } from "@ai-sdk/provider";
import type { ProviderInput } from "./provider-input.ts";

/** A model that is spoken to by Anthropic Messages. */
export function createAnthropicModel(input: ProviderInput): LanguageModelV4 {
  const { model, baseUrl: baseURL, apiKey, fetch } = input;
  return createAnthropic({ baseURL, apiKey, fetch })(model);
}

import { createOpenAI } from "@ai-sdk/openai";
import type { LanguageModelV4 } from "@ai-sdk/provider";
import { withCallDefaults } from "./call-defaults.ts";
import type { ProviderInput } from "./provider-input.ts";

/** A model that is spoken to by OpenAI Responses. Nothing is kept there: the conversation is on this side. */
export function createOpenAiModel(input: ProviderInput): LanguageModelV4 {
  const { model, baseUrl: baseURL, apiKey, fetch } = input;
  return withCallDefaults(
    createOpenAI({ baseURL, apiKey, fetch }).responses(model),
    ({ providerOptions, ...options }) => ({
      ...options,
      providerOptions: {
        ...providerOptions,
        openai: { store: false, ...providerOptions?.["openai"] },
      },
    }),
  );
}

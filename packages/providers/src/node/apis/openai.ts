import { createOpenAI } from "@ai-sdk/openai";
import type { LanguageModelV4 } from "@ai-sdk/provider";
import { withCallDefaults } from "../../call-defaults.ts";
import type { ProviderInput } from "./provider-input.ts";

/** A model behind the OpenAI Responses API. Nothing is stored there: the conversation lives on this side. */
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

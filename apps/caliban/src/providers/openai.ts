import { createOpenAI } from "@ai-sdk/openai";
import type { LanguageModelV4 } from "@ai-sdk/provider";
import type { ProviderInput } from "./provider-input.ts";

/** A model that is spoken to by OpenAI Responses. */
export function createOpenAiModel(input: ProviderInput): LanguageModelV4 {
  const { model, baseUrl: baseURL, apiKey, fetch } = input;
  return createOpenAI({ baseURL, apiKey, fetch }).responses(model);
}

import { createGoogle } from "@ai-sdk/google";
import type { LanguageModelV4 } from "@ai-sdk/provider";
import type { ProviderInput } from "./provider-input.ts";

/** A model behind the Gemini API. */
export function createGoogleModel(input: ProviderInput): LanguageModelV4 {
  const { model, baseUrl: baseURL, apiKey, fetch } = input;
  return createGoogle({ baseURL, apiKey, fetch })(model);
}

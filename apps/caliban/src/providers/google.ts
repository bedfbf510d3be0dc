import { createGoogle } from "@ai-sdk/google";
import type { LanguageModelV4 } from "@ai-sdk/provider";
import type { ProviderInput } from "./provider-input.ts";

/** A model that is spoken to by the Gemini protocol. */
export function createGoogleModel(input: ProviderInput): LanguageModelV4 {
  const { model, baseUrl: baseURL, apiKey, fetch } = input;
  return createGoogle({ baseURL, apiKey, fetch })(model);
}

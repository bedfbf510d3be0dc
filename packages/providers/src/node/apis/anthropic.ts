import { createAnthropic } from "@ai-sdk/anthropic";
import type { LanguageModelV4 } from "@ai-sdk/provider";
import { withCallDefaults } from "../../call-defaults.ts";
import type { ProviderInput } from "./provider-input.ts";

/** For models the library does not know: its own default is too short to write a file. */
const UNKNOWN_MODEL_OUTPUT_TOKENS = 16_000;

/** A model behind the Anthropic Messages API. */
export function createAnthropicModel(input: ProviderInput): LanguageModelV4 {
  const { model, baseUrl: baseURL, apiKey, fetch } = input;
  const opened = createAnthropic({ baseURL, apiKey, fetch })(model);
  if (model.includes("claude")) return opened;
  return withCallDefaults(opened, (options) => ({
    maxOutputTokens: UNKNOWN_MODEL_OUTPUT_TOKENS,
    ...options,
  }));
}

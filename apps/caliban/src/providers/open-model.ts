import type { LanguageModelV4 } from "@ai-sdk/provider";
import type { Environment } from "@caliban/common";
import { createLeanFetch } from "./lean-fetch.ts";
import type { ProviderInput } from "./provider-input.ts";
import type { ChosenModel } from "./resolve-model.ts";

export interface OpenModelInput {
  readonly env: Environment;
  /** How requests are sent: one function for all models, so that connections are kept. */
  readonly fetch?: typeof fetch | undefined;
}

/** Loads the one provider that is needed. Its key comes from the environment and goes nowhere but into its requests. */
export async function openModel(
  chosen: ChosenModel,
  { env, fetch = createLeanFetch({ env }) }: OpenModelInput,
): Promise<LanguageModelV4> {
  const { api, provider, model, baseUrl = "", keyVariable } = chosen;
  const apiKey = (keyVariable === undefined ? "" : (env[keyVariable] ?? "")).trim();
  const input: ProviderInput = { provider, model, baseUrl, apiKey, fetch };
  switch (api) {
    case "offline": {
      const { createOfflineModel } = await import("./offline/offline-model.ts");
      return createOfflineModel();
    }
    case "anthropic":
      return (await import("./anthropic.ts")).createAnthropicModel(input);
    case "openai":
      return (await import("./openai.ts")).createOpenAiModel(input);
    case "google":
      return (await import("./google.ts")).createGoogleModel(input);
    case "openai-compatible":
      return (await import("./openai-compatible.ts")).createCompatibleModel(input);
  }
}

import type { LanguageModelV4 } from "@ai-sdk/provider";
import type { Environment } from "@caliban/common";
import type { ProviderApi } from "@caliban/settings";
import { createLeanFetch } from "./lean-fetch.ts";
import type { ProviderInput } from "./provider-input.ts";
import type { ChosenModel } from "./resolve-model.ts";
import { withWholeAnswers } from "./whole-answers.ts";

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
  if (api === "offline") {
    const { createOfflineModel } = await import("./offline/offline-model.ts");
    return createOfflineModel();
  }
  return withWholeAnswers(await LOADERS[api](input));
}

const LOADERS: Readonly<Record<ProviderApi, (input: ProviderInput) => Promise<LanguageModelV4>>> = {
  anthropic: async (input) => (await import("./anthropic.ts")).createAnthropicModel(input),
  openai: async (input) => (await import("./openai.ts")).createOpenAiModel(input),
  google: async (input) => (await import("./google.ts")).createGoogleModel(input),
  "openai-compatible": async (input) =>
    (await import("./openai-compatible.ts")).createCompatibleModel(input),
};

import type { LanguageModelV4 } from "@ai-sdk/provider";
import type { Environment, SpellCommand } from "@caliban/common";
import type { ProviderInput } from "./apis/provider-input.ts";
import { requireCompleteAnswers } from "../complete-answers.ts";
import type { ProviderApi } from "../provider-settings.ts";
import type { ResolvedModel } from "../resolve-model.ts";
import { createLeanFetch } from "./http/lean-fetch.ts";

export interface OpenModelInput {
  readonly env: Environment;
  /** Sends the requests; one function for all models, so that connections are reused. */
  readonly fetch?: typeof fetch | undefined;
  /** Spells the commands that answers of the offline model name. */
  readonly command?: SpellCommand | undefined;
}

/** Loads the one provider that is needed. Its key is read from the environment and only ever put into its requests. */
export async function openModel(
  resolved: ResolvedModel,
  { env, fetch = createLeanFetch({ env }), command }: OpenModelInput,
): Promise<LanguageModelV4> {
  const { api, provider, model, baseUrl = "", keyVariable } = resolved;
  const apiKey = (keyVariable === undefined ? "" : (env[keyVariable] ?? "")).trim();
  const input: ProviderInput = { provider, model, baseUrl, apiKey, fetch };
  if (api === "offline") {
    const { createOfflineModel } = await import("../offline/offline-model.ts");
    return createOfflineModel(command);
  }
  return requireCompleteAnswers(await LOADERS[api](input));
}

const LOADERS: Readonly<Record<ProviderApi, (input: ProviderInput) => Promise<LanguageModelV4>>> = {
  anthropic: async (input) => (await import("./apis/anthropic.ts")).createAnthropicModel(input),
  openai: async (input) => (await import("./apis/openai.ts")).createOpenAiModel(input),
  google: async (input) => (await import("./apis/google.ts")).createGoogleModel(input),
  "openai-compatible": async (input) =>
    (await import("./apis/openai-compatible.ts")).createCompatibleModel(input),
};

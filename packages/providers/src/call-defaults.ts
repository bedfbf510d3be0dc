import type { LanguageModelV4, LanguageModelV4CallOptions } from "@ai-sdk/provider";

/** Wraps a model so that the options of every call are adjusted first. */
export function withCallDefaults(
  model: LanguageModelV4,
  adjust: (options: LanguageModelV4CallOptions) => LanguageModelV4CallOptions,
): LanguageModelV4 {
  const { specificationVersion, provider, modelId, supportedUrls } = model;
  return {
    specificationVersion,
    provider,
    modelId,
    supportedUrls,
    doGenerate: async (options) => await model.doGenerate(adjust(options)),
    doStream: async (options) => await model.doStream(adjust(options)),
  };
}

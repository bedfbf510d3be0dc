import { KNOWN_PROVIDERS, OFFLINE_MODEL } from "@caliban/providers";

/** Every model whose name is known, as `provider/model`. */
export const KNOWN_MODELS: readonly string[] = [
  ...Object.entries(KNOWN_PROVIDERS).flatMap(([provider, { models }]) =>
    models.map((model) => `${provider}/${model}`),
  ),
  OFFLINE_MODEL,
];

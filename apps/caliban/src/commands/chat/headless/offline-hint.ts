import type { Environment } from "@caliban/common";
import { DEFAULT_PROVIDER_ORDER, KNOWN_PROVIDERS, OFFLINE_MODEL } from "@caliban/providers";

/** Tells a user without an API key how to connect a model; `undefined` when they asked for the offline model. */
export function offlineHint(
  model: string,
  { env, requested }: { readonly env: Environment; readonly requested: string | undefined },
): string | undefined {
  const hasKey = DEFAULT_PROVIDER_ORDER.flatMap(
    (name) => KNOWN_PROVIDERS[name]?.keyVariables ?? [],
  ).some((variable) => (env[variable] ?? "").trim() !== "");
  if (model !== OFFLINE_MODEL || requested !== undefined || hasKey) return undefined;
  return "no API key found, so the built-in offline model is answering from memory only. Set ANTHROPIC_API_KEY (or run: caliban doctor).";
}

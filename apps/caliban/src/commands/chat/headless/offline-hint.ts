import type { Environment } from "@caliban/common";
import { DEFAULT_PROVIDER_ORDER, KNOWN_PROVIDERS, OFFLINE_MODEL } from "@caliban/providers";

/** One line for those who have connected no model yet; `undefined` where the offline one was wished for. */
export function offlineHint(
  model: string,
  { env, wanted }: { readonly env: Environment; readonly wanted: string | undefined },
): string | undefined {
  const hasKey = DEFAULT_PROVIDER_ORDER.flatMap((name) => KNOWN_PROVIDERS[name]?.keyVariables ?? []).some(
    (variable) => (env[variable] ?? "").trim() !== "",
  );
  if (model !== OFFLINE_MODEL || wanted !== undefined || hasKey) return undefined;
  return "no key is set, so the offline model answers, from memory alone; ANTHROPIC_API_KEY or another key connects a real one (caliban doctor)";
}

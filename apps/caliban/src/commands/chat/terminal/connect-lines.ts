import { type Environment, terminalSafeLine } from "@caliban/common";
import { KNOWN_PROVIDERS, providerKeys } from "@caliban/providers";
import type { LocalServer } from "@caliban/providers/node";

const MAX_KEYS = 3;

/** How to connect a model while the offline one answers: with a key that is set, or with one that is not. */
export function keyLines(env: Environment): readonly string[] {
  const present = providerKeys({}, env).flatMap(({ provider, present: variable }) =>
    variable === undefined ? [] : [{ provider, variable }],
  );
  if (present.length === 0) return [NO_KEY];
  return present.slice(0, MAX_KEYS).map(({ provider, variable }) => {
    const [model = "<model>"] = KNOWN_PROVIDERS[provider]?.models ?? [];
    return `${variable} is set. To use it: /model ${provider}/${model}`;
  });
}

const NO_KEY = "No API key found. Set ANTHROPIC_API_KEY, or see /model for other models.";

/** How to use the model servers that answer on this machine. */
export function serverLines(servers: readonly LocalServer[]): readonly string[] {
  return servers.map(({ provider, baseUrl, models }) => {
    const { host } = new URL(baseUrl);
    const [model = "<model>"] = models;
    return terminalSafeLine(
      `${provider} answers on ${host}. To use it: /model ${provider}/${model}`,
    );
  });
}

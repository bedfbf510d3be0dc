import type { Environment } from "@caliban/common";
import type { ProviderTable } from "./provider-settings.ts";
import { KNOWN_PROVIDERS } from "./provider-table.ts";

/** Every variable that may hold a key: those of the known providers and those named in the settings. */
export function keyVariables(providers: ProviderTable): readonly string[] {
  const known = Object.values(KNOWN_PROVIDERS).flatMap(({ keyVariables: names }) => names);
  const own = Object.values(providers).flatMap(({ api_key_env: name }) => name ?? []);
  return [...new Set([...known, ...own])];
}

/** The variables that may hold the key of a provider, and the one that does. */
export interface ProviderKey {
  readonly provider: string;
  readonly variables: readonly string[];
  readonly present: string | undefined;
}

/** The key of every provider that takes one: the known ones first, with the variables named in the settings. */
export function providerKeys(providers: ProviderTable, env: Environment): readonly ProviderKey[] {
  const known = Object.entries(KNOWN_PROVIDERS).map(
    ([name, { keyVariables: names }]) => [name, names] as const,
  );
  const own = Object.entries(providers).flatMap(([name, { api_key_env: variable }]) =>
    variable === undefined ? [] : [[name, [variable]] as const],
  );
  return [...new Map<string, readonly string[]>([...known, ...own])]
    .filter(([, variables]) => variables.length > 0)
    .map(([provider, variables]) => {
      const present = variables.find((name) => (env[name] ?? "").trim() !== "");
      return { provider, variables, present };
    });
}

/** Masking anything shorter would mask ordinary words. */
const MIN_KEY_LENGTH = 8;

/** The keys themselves, longest first, to be masked wherever they appear. */
export function keyValues(providers: ProviderTable, env: Environment): readonly string[] {
  const values = keyVariables(providers)
    .map((name) => (env[name] ?? "").trim())
    .filter((value) => value.length >= MIN_KEY_LENGTH);
  return [...new Set(values)].toSorted((a, b) => b.length - a.length);
}

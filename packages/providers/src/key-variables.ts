import type { Environment } from "@caliban/common";
import type { ProviderTable } from "./provider-settings.ts";
import { KNOWN_PROVIDERS } from "./provider-table.ts";

/** Every variable that may hold a key: those of the known providers and those named in the settings. */
export function keyVariables(providers: ProviderTable): readonly string[] {
  const known = Object.values(KNOWN_PROVIDERS).flatMap(({ keyVariables: names }) => names);
  const own = Object.values(providers).flatMap(({ api_key_env: name }) => name ?? []);
  return [...new Set([...known, ...own])];
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

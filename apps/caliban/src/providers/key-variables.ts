import type { Environment } from "@caliban/common";
import type { SettingValues } from "@caliban/settings";
import { KNOWN_PROVIDERS } from "./provider-table.ts";

/** Every variable that holds a key: those of the known providers and those that the settings name. */
export function keyVariables(providers: SettingValues["providers"]): readonly string[] {
  const known = Object.values(KNOWN_PROVIDERS).flatMap(({ keyVariables: names }) => names);
  const own = Object.values(providers).flatMap(({ api_key_env: name }) => name ?? []);
  return [...new Set([...known, ...own])];
}

const SHORTEST_KEY = 8;

/** The keys themselves, longest first, to be masked where they turn up; a very short one would mask plain words. */
export function keyValues(
  providers: SettingValues["providers"],
  env: Environment,
): readonly string[] {
  const values = keyVariables(providers)
    .map((name) => (env[name] ?? "").trim())
    .filter((value) => value.length >= SHORTEST_KEY);
  return [...new Set(values)].toSorted((a, b) => b.length - a.length);
}

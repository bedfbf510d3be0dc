import type { Environment } from "@caliban/common";
import type { ProviderTable } from "./provider-settings.ts";
import { KNOWN_PROVIDERS } from "./provider-table.ts";

/** The variables that may hold the key of a provider, and the one that does. */
interface ProviderKey {
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

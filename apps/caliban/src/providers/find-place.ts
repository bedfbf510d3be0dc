import { type Environment, nearest } from "@caliban/common";
import type { ProviderApi, ProviderSettings, SettingValues } from "@caliban/settings";
import { KNOWN_PROVIDERS, type KnownProvider, knownProvider } from "./provider-table.ts";

/** Why there is no such model, and what to write instead, in a sentence. */
export interface ModelProblem {
  readonly problem: string;
}

export interface FindPlaceInput {
  readonly values: Pick<SettingValues, "providers">;
  readonly env: Environment;
}

/** The model that answers when there is no key. */
export const OFFLINE_MODEL = "offline/rehearsal";

/** Where a provider is and what it takes. */
export interface Place {
  readonly api: ProviderApi;
  readonly baseUrl: string;
  readonly keyVariable: string | undefined;
  readonly window: number | undefined;
}

/** Finds a provider by its name: the person's settings first, then what is known. */
export function findPlace(provider: string, { values, env }: FindPlaceInput): Place | ModelProblem {
  const own = Object.hasOwn(values.providers, provider) ? values.providers[provider] : undefined;
  const known = knownProvider(provider);
  if (own === undefined && known === undefined) {
    return { problem: unknownProvider(provider, values.providers) };
  }
  const { api, baseUrl } = findAddress(own, known);
  if (baseUrl === undefined) {
    return { problem: `${provider} has no address: write base_url below [providers.${provider}].` };
  }
  const key = findKey(provider, { own, known, env });
  if ("problem" in key) return key;
  return { api, baseUrl, keyVariable: key.variable, window: own?.context_window };
}

/** A protocol of one maker is spoken at that maker's, when no address is given; others have no such place. */
function findAddress(
  own: ProviderSettings | undefined,
  known: KnownProvider | undefined,
): { readonly api: ProviderApi; readonly baseUrl: string | undefined } {
  const api = own?.api ?? known?.api ?? "openai-compatible";
  return { api, baseUrl: own?.base_url ?? known?.baseUrl ?? knownProvider(api)?.baseUrl };
}

type FoundKey = { readonly variable: string | undefined } | ModelProblem;

function findKey(
  provider: string,
  input: {
    readonly own: ProviderSettings | undefined;
    readonly known: KnownProvider | undefined;
    readonly env: Environment;
  },
): FoundKey {
  const { own, known, env } = input;
  const candidates =
    own?.api_key_env === undefined ? (known?.keyVariables ?? []) : [own.api_key_env];
  const variable = candidates.find((name) => isSet(env, name));
  if (variable !== undefined) return sendable(variable, env);
  const [wanted] = candidates;
  // Another address may be a gateway that has the key itself.
  const isNeeded = own?.api_key_env !== undefined || own?.base_url === undefined;
  if (wanted !== undefined && isNeeded) return { problem: missingKey(provider, wanted) };
  return { variable: undefined };
}

/** What cannot stand in a header would fail later, in words that repeat it. */
function sendable(variable: string, env: Environment): FoundKey {
  if (/^[!-~]+$/.test((env[variable] ?? "").trim())) return { variable };
  return { problem: `${variable} holds characters that no key has, such as spaces; set it again.` };
}

function missingKey(provider: string, variable: string): string {
  return `${provider} needs a key: set ${variable} in the environment (docs/providers.md), or use --model ${OFFLINE_MODEL}.`;
}

function unknownProvider(provider: string, own: SettingValues["providers"]): string {
  const names = [...Object.keys(KNOWN_PROVIDERS), ...Object.keys(own), "offline"];
  const meant = nearest(provider, names);
  const hint = meant === undefined ? "" : ` Did you mean ${meant}?`;
  return `there is no provider "${provider}".${hint} Known are ${[...new Set(names)].join(", ")}; for a server of your own write base_url below [providers.${provider}] (docs/providers.md).`;
}

/** The first variable of a provider that holds a key. */
export function presentKey(known: KnownProvider | undefined, env: Environment): string | undefined {
  return known?.keyVariables.find((variable) => isSet(env, variable));
}

function isSet(env: Environment, variable: string): boolean {
  return (env[variable] ?? "").trim() !== "";
}

import { command, type Diagnostic, type Environment, nearest, withCommands } from "@caliban/common";
import type { ProviderApi, ProviderSettings, ProviderTable } from "./provider-settings.ts";
import { KNOWN_PROVIDERS, type KnownProvider, knownProvider } from "./provider-table.ts";

/** Why a model cannot be used. */
export interface ModelDiagnostic extends Diagnostic<
  "INVALID_NAME" | "UNKNOWN_PROVIDER" | "NO_BASE_URL" | "MISSING_KEY" | "INVALID_KEY"
> {
  /** The environment variable to set, where a key is the problem. */
  readonly keyVariable?: string | undefined;
}

export interface ModelProblem {
  readonly problem: ModelDiagnostic;
}

export interface FindEndpointInput {
  readonly values: { readonly providers: ProviderTable };
  readonly env: Environment;
}

/** The model that answers when no key is set. */
export const OFFLINE_MODEL = "offline/rehearsal";

/** Where a provider is and what it takes. */
export interface Endpoint {
  readonly api: ProviderApi;
  readonly baseUrl: string;
  readonly keyVariable: string | undefined;
  readonly window: number | undefined;
  /** Whether its models accept images, if the settings say so. */
  readonly images: boolean | undefined;
}

/** Finds a provider by name: the user's settings first, then the known providers. */
export function findEndpoint(
  provider: string,
  { values, env }: FindEndpointInput,
): Endpoint | ModelProblem {
  const own = Object.hasOwn(values.providers, provider) ? values.providers[provider] : undefined;
  const known = knownProvider(provider);
  if (own === undefined && known === undefined) return unknownProvider(provider, values.providers);
  const { api, baseUrl } = findAddress(own, known);
  if (baseUrl === undefined) return missingBaseUrl(provider);
  const key = findKey(provider, { own, known, env });
  if ("problem" in key) return key;
  return {
    api,
    baseUrl,
    keyVariable: key.variable,
    window: own?.context_window,
    images: own?.images,
  };
}

/** Without an address, a vendor's protocol is spoken at that vendor's; the other protocols have no such default. */
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
  if (variable !== undefined) return checkKey(variable, env);
  const [expected] = candidates;
  // A custom address may be a gateway that adds the key itself.
  const isRequired = own?.api_key_env !== undefined || own?.base_url === undefined;
  if (expected !== undefined && isRequired) return missingKey(provider, expected);
  return { variable: undefined };
}

/** A key that cannot be sent in a header would fail later, with a message that repeats the key. */
function checkKey(variable: string, env: Environment): FoundKey {
  if (/^[!-~]+$/.test((env[variable] ?? "").trim())) return { variable };
  const message = `${variable} contains characters that are not valid in a key, such as spaces. Set it again.`;
  return { problem: { code: "INVALID_KEY", keyVariable: variable, message } };
}

function missingKey(provider: string, variable: string): ModelProblem {
  const message = withCommands`${provider} requires an API key. Set ${variable} (see docs/providers.md), or use the built-in model: ${command(`--model ${OFFLINE_MODEL}`)}`;
  return { problem: { code: "MISSING_KEY", keyVariable: variable, ...message } };
}

function missingBaseUrl(provider: string): ModelProblem {
  const message = `no base_url is set for ${provider}. Set it under [providers.${provider}].`;
  return { problem: { code: "NO_BASE_URL", message } };
}

function unknownProvider(provider: string, own: ProviderTable): ModelProblem {
  const names = [...Object.keys(KNOWN_PROVIDERS), ...Object.keys(own), "offline"];
  const suggestion = nearest(provider, names);
  const hint = suggestion === undefined ? "" : ` Did you mean ${suggestion}?`;
  const message = `unknown provider "${provider}".${hint} Available: ${[...new Set(names)].join(", ")}. To use your own server, set base_url under [providers.${provider}] (see docs/providers.md).`;
  return { problem: { code: "UNKNOWN_PROVIDER", message } };
}

/** The first variable of a provider that holds a key. */
export function setKeyVariable(
  known: KnownProvider | undefined,
  env: Environment,
): string | undefined {
  return known?.keyVariables.find((variable) => isSet(env, variable));
}

function isSet(env: Environment, variable: string): boolean {
  return (env[variable] ?? "").trim() !== "";
}

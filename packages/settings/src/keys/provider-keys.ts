import type { NamedTables, TableKeyRow } from "./named-tables.ts";

/** The protocol that a provider speaks. */
export type ProviderApi = "openai-compatible" | "openai" | "anthropic" | "google";

/** The keys of one `[providers.<name>]`. */
export interface ProviderSettings {
  readonly base_url?: string | undefined;
  readonly api_key_env?: string | undefined;
  readonly api?: ProviderApi | undefined;
  readonly context_window?: number | undefined;
  readonly images?: boolean | undefined;
}

/** Every `[providers.<name>]` by name. */
export type ProviderTable = Readonly<Record<string, ProviderSettings>>;

/** One row per key of a provider, used by the checks and docs/settings.md. */
const PROVIDER_KEYS: Readonly<Record<keyof ProviderSettings, TableKeyRow>> = {
  base_url: { kind: "url", doc: "Base URL of the API, including the version (`…/v1`)." },
  api_key_env: {
    kind: "variable-name",
    doc: "The environment variable that contains the API key. The key itself is never in a settings file.",
  },
  api: {
    kind: "choice",
    choices: {
      "openai-compatible": "Chat Completions, which most servers support; the default",
      openai: "OpenAI Responses",
      anthropic: "Anthropic Messages",
      google: "Gemini",
    },
    doc: "The API that the provider speaks.",
  },
  context_window: { kind: "tokens", doc: "The context window of its models, in tokens." },
  images: {
    kind: "switch",
    doc: "Whether its models accept images; by default, the name of a model decides.",
  },
};

/** `[providers.<name>]` */
export const PROVIDERS: NamedTables = {
  setting: "providers",
  noun: "provider",
  example: "providers.ollama.base_url",
  keys: PROVIDER_KEYS,
  // It comes before the slash of `provider/model`.
  isName: (name) => /^[a-z0-9][a-z0-9_-]{0,63}$/.test(name),
  nameRule:
    "a provider name consists of lowercase letters, digits, - and _, as in [providers.my-server]",
  literalKeyMessage:
    'keep API keys out of settings files. Put the key into an environment variable and name the variable, as in api_key_env = "MY_SERVER_API_KEY".',
  findWarnings: () => [],
};

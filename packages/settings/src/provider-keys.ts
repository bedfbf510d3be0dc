import type { NamedTables, TableKeyRow } from "./named-tables.ts";

/** The protocol that a provider speaks. */
export type ProviderApi = "openai-compatible" | "openai" | "anthropic" | "google";

/** What the person says about one provider, by the keys of `[providers.<name>]`. */
export interface ProviderSettings {
  readonly base_url?: string | undefined;
  readonly api_key_env?: string | undefined;
  readonly api?: ProviderApi | undefined;
  readonly context_window?: number | undefined;
}

/** Every `[providers.<name>]` by its name. */
export type ProviderTable = Readonly<Record<string, ProviderSettings>>;

/** One row per key of a provider; the checks and docs/settings.md are made from it. */
const PROVIDER_KEYS: Readonly<Record<keyof ProviderSettings, TableKeyRow>> = {
  base_url: { kind: "url", doc: "Where requests go, up to and with the version (`…/v1`)." },
  api_key_env: {
    kind: "variable-name",
    doc: "The environment variable that holds the key. The key itself never stands in a settings file.",
  },
  api: {
    kind: "choice",
    choices: {
      "openai-compatible": "Chat Completions, as most servers speak it; the default",
      openai: "OpenAI Responses",
      anthropic: "Anthropic Messages",
      google: "Gemini",
    },
    doc: "The protocol spoken there.",
  },
  context_window: { kind: "tokens", doc: "How many tokens its models can see." },
};

/** `[providers.<name>]` */
export const PROVIDERS: NamedTables = {
  setting: "providers",
  noun: "provider",
  example: "providers.ollama.base_url",
  keys: PROVIDER_KEYS,
  // It stands before the slash of `provider/model`.
  isName: (name) => /^[a-z0-9][a-z0-9_-]{0,63}$/.test(name),
  nameRule:
    "the name of a provider has lower-case letters, digits, - and _, as in [providers.my-server]",
  keyItselfRefused:
    'a key does not belong into settings: put it into an environment variable and name that with api_key_env, as in api_key_env = "MY_SERVER_API_KEY".',
  oddities: () => [],
};

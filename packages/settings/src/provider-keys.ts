import type { ValueForm } from "./check-value.ts";

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

export type ProviderKey = keyof ProviderSettings;

/** One key of `[providers.<name>]`: how it is checked and what it is for. */
export interface ProviderKeyRow extends ValueForm {
  readonly kind: "url" | "variable-name" | "choice" | "tokens";
  readonly doc: string;
}

/** One row per key of a provider; the checks and docs/settings.md are made from it. */
export const PROVIDER_KEYS: Readonly<Record<ProviderKey, ProviderKeyRow>> = {
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

/** Whether a name is a key of `[providers.<name>]`. */
export function isProviderKey(name: string): name is ProviderKey {
  return Object.hasOwn(PROVIDER_KEYS, name);
}

/** Whether a name can stand before the slash of `provider/model`. */
export function isProviderName(name: string): boolean {
  return /^[a-z0-9][a-z0-9_-]{0,63}$/.test(name) && name !== "__proto__";
}

/** What to say of a name that is none. */
export const PROVIDER_NAME_RULE: string =
  "the name of a provider has lower-case letters, digits, - and _, as in [providers.my-server]";

/** Whether somebody meant to write the key itself. */
export function isKeyItself(name: string): boolean {
  return /^(?:api_?)?(?:key|token|secret)$/.test(name);
}

/** What to say of a key in a file. */
export const KEY_ITSELF_REFUSED: string =
  'a key does not belong into settings: put it into an environment variable and name that with api_key_env, as in api_key_env = "MY_SERVER_API_KEY".';

/** A wire protocol that caliban speaks. */
export type ProviderApi = "openai-compatible" | "openai" | "anthropic" | "google";

/** One provider as the user configured it, with the keys of `[providers.<name>]` in settings.toml. */
export interface ProviderSettings {
  readonly base_url?: string | undefined;
  readonly api_key_env?: string | undefined;
  readonly api?: ProviderApi | undefined;
  readonly context_window?: number | undefined;
  readonly images?: boolean | undefined;
}

/** The user's providers by name. */
export type ProviderTable = Readonly<Record<string, ProviderSettings>>;

/** The settings that decide which model answers; the values of loaded settings fit as they are. */
export interface ModelSettings {
  readonly providers: ProviderTable;
  readonly "models.default": string | undefined;
  readonly "models.smol": string | undefined;
  readonly "models.context_window": number | undefined;
}

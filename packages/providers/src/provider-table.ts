import type { ProviderApi } from "./provider-settings.ts";

/** A provider that works without settings. */
export interface KnownProvider {
  readonly api: ProviderApi;
  readonly baseUrl: string;
  /** Variables that may hold its key; the first one that is set is used. Empty for a provider without keys. */
  readonly keyVariables: readonly string[];
  /** Model names to suggest; the first is the default. Any other model of the provider works too. */
  readonly models: readonly string[];
  /** Whether models are served at full size, so that a name implies its context window. */
  readonly hasKnownWindows: boolean;
}

/** The providers by the part before the slash of `provider/model`. */
export const KNOWN_PROVIDERS: Readonly<Record<string, KnownProvider>> = {
  anthropic: {
    api: "anthropic",
    baseUrl: "https://api.anthropic.com/v1",
    keyVariables: ["ANTHROPIC_API_KEY"],
    models: ["claude-sonnet-5-5", "claude-opus-5-5", "claude-haiku-5-5", "claude-fable-5-2"],
    hasKnownWindows: true,
  },
  openai: {
    api: "openai",
    baseUrl: "https://api.openai.com/v1",
    keyVariables: ["OPENAI_API_KEY"],
    models: ["gpt-6.1-sol", "gpt-6.1-terra", "gpt-6-luna"],
    hasKnownWindows: true,
  },
  google: {
    api: "google",
    baseUrl: "https://generativelanguage.googleapis.com/v1beta",
    keyVariables: ["GOOGLE_GENERATIVE_AI_API_KEY", "GEMINI_API_KEY"],
    models: ["gemini-pro-latest", "gemini-flash-latest", "gemini-flash-lite-latest"],
    hasKnownWindows: true,
  },
  openrouter: {
    api: "openai-compatible",
    baseUrl: "https://openrouter.ai/api/v1",
    keyVariables: ["OPENROUTER_API_KEY"],
    models: ["openrouter/auto"],
    hasKnownWindows: true,
  },
  ollama: local("http://localhost:11434/v1"),
  lmstudio: local("http://localhost:1234/v1"),
  llamacpp: local("http://localhost:8080/v1"),
  vllm: local("http://localhost:8000/v1"),
};

function local(baseUrl: string): KnownProvider {
  const api = "openai-compatible";
  return { api, baseUrl, keyVariables: [], models: [], hasKnownWindows: false };
}

/** A known provider by name. */
export function knownProvider(name: string): KnownProvider | undefined {
  return Object.hasOwn(KNOWN_PROVIDERS, name) ? KNOWN_PROVIDERS[name] : undefined;
}

/** Without a model name, the first of these providers whose key is set answers. */
export const DEFAULT_PROVIDER_ORDER: readonly string[] = [
  "anthropic",
  "openai",
  "google",
  "openrouter",
];

/** Context windows in tokens by model name; the first match is used. An estimate too low is safer than one too high. */
const WINDOWS: readonly (readonly [RegExp, number])[] = [
  [/claude/, 200_000],
  [/gpt-4\.1/, 1_000_000],
  [/gpt-4o/, 128_000],
  [/gpt-3\.5/, 16_000],
  [/gpt-[5-9]/, 272_000],
  [/(?:^|\/)o\d/, 200_000],
  [/gemini/, 1_000_000],
];

const UNKNOWN_WINDOW = 32_000;

/** The context window of a model in tokens, as far as its name implies one. */
export function contextWindowOf(provider: KnownProvider | undefined, model: string): number {
  if (provider?.hasKnownWindows !== true) return UNKNOWN_WINDOW;
  return WINDOWS.find(([pattern]) => pattern.test(model))?.[1] ?? UNKNOWN_WINDOW;
}

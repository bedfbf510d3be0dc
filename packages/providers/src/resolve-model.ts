import { type Environment, nearest } from "@caliban/common";
import { acceptsImages } from "./accepts-images.ts";
import {
  findEndpoint,
  type FindEndpointInput,
  type ModelProblem,
  OFFLINE_MODEL,
  setKeyVariable,
} from "./find-endpoint.ts";
import type { ModelSettings, ProviderApi, ProviderTable } from "./provider-settings.ts";
import {
  contextWindowOf,
  DEFAULT_PROVIDER_ORDER,
  KNOWN_PROVIDERS,
  knownProvider,
} from "./provider-table.ts";

/** A model that can be opened: everything but its key. */
export interface ResolvedModel {
  /** `provider/model`. */
  readonly name: string;
  readonly provider: string;
  readonly model: string;
  readonly api: ProviderApi | "offline";
  readonly baseUrl?: string | undefined;
  /** The variable that holds the key; `undefined` for a server that needs no key. */
  readonly keyVariable?: string | undefined;
  readonly contextWindow: number;
  readonly acceptsImages: boolean;
}

export interface ResolveModelInput extends FindEndpointInput {
  readonly values: ModelSettings;
  /** `smol` is for small tasks and falls back to the model that answers. */
  readonly role?: "default" | "smol" | undefined;
}

/** Resolves a name as typed after `--model`; without a name, the settings and then the first key decide. */
export function resolveModel(
  name: string | undefined,
  input: ResolveModelInput,
): ResolvedModel | ModelProblem {
  const { values, role = "default" } = input;
  const chosen = chooseName(name, input);
  const slash = chosen.indexOf("/");
  const provider = chosen.slice(0, Math.max(slash, 0));
  const model = chosen.slice(slash + 1);
  if (provider === "" || model === "") return withoutProvider(chosen, values.providers);
  if (provider === "offline") return offlineModel(chosen);
  const endpoint = findEndpoint(provider, input);
  if ("problem" in endpoint) return endpoint;
  const overall = role === "default" ? values["models.context_window"] : undefined;
  const contextWindow =
    overall ?? endpoint.window ?? contextWindowOf(knownProvider(provider), model);
  const { api, baseUrl, keyVariable } = endpoint;
  const images = acceptsImages({ model, images: endpoint.images });
  return {
    name: chosen,
    provider,
    model,
    api,
    baseUrl,
    keyVariable,
    contextWindow,
    acceptsImages: images,
  };
}

function chooseName(name: string | undefined, { values, env, role }: ResolveModelInput): string {
  const smol = role === "smol" ? values["models.smol"] : undefined;
  return smol ?? name ?? values["models.default"] ?? firstWithKey(env);
}

function firstWithKey(env: Environment): string {
  const provider = DEFAULT_PROVIDER_ORDER.find((name) => setKeyVariable(knownProvider(name), env));
  const model = provider && knownProvider(provider)?.models[0];
  return model === undefined ? OFFLINE_MODEL : `${provider}/${model}`;
}

function offlineModel(name: string): ResolvedModel | ModelProblem {
  if (name !== OFFLINE_MODEL) {
    const message = `unknown offline model "${name}". The only one is ${OFFLINE_MODEL}.`;
    return { problem: { code: "INVALID_NAME", message } };
  }
  return {
    name,
    provider: "offline",
    model: "rehearsal",
    api: "offline",
    contextWindow: 200_000,
    acceptsImages: false,
  };
}

function withoutProvider(name: string, own: ProviderTable): ModelProblem {
  const all = Object.entries(KNOWN_PROVIDERS).flatMap(([provider, { models }]) =>
    models.map((model) => ({ model, full: `${provider}/${model}` })),
  );
  const word = name.replaceAll("/", "").toLowerCase();
  const near = nearest(
    word,
    all.map(({ model }) => model),
  );
  const match =
    all.find(({ model }) => model === near) ??
    all.find(({ full }) => word.length > 2 && full.includes(word));
  const example = Object.hasOwn(own, word) ? `${word}/<model>` : match?.full;
  const examples = example ?? "anthropic/claude-sonnet-5-5 or ollama/<model>";
  const message = `invalid model "${name}": expected provider/model, such as ${examples}.`;
  return { problem: { code: "INVALID_NAME", message } };
}

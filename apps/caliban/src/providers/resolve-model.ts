import { type Environment, nearest } from "@caliban/common";
import type { ProviderApi, SettingValues } from "@caliban/settings";
import {
  findPlace,
  type FindPlaceInput,
  type ModelProblem,
  OFFLINE_MODEL,
  presentKey,
} from "./find-place.ts";
import { FIRST_KEY_ORDER, KNOWN_PROVIDERS, knownProvider, knownWindow } from "./provider-table.ts";

/** A model that can be opened: everything but its key. */
export interface ChosenModel {
  /** `provider/model`. */
  readonly name: string;
  readonly provider: string;
  readonly model: string;
  readonly api: ProviderApi | "offline";
  readonly baseUrl?: string | undefined;
  /** The variable that holds the key; none for a server that takes none. */
  readonly keyVariable?: string | undefined;
  readonly contextWindow: number;
}

export interface ResolveModelInput extends FindPlaceInput {
  readonly values: FindPlaceInput["values"] &
    Pick<SettingValues, "models.default" | "models.smol" | "models.context_window">;
  /** `smol` is for small work and falls back to the model that answers. */
  readonly role?: "default" | "smol" | undefined;
}

/** Finds the model for a name as it is typed after `--model`, or for none. Looks at nothing but its arguments. */
export function resolveModel(
  name: string | undefined,
  input: ResolveModelInput,
): ChosenModel | ModelProblem {
  const { values, role = "default" } = input;
  const chosen = chooseName(name, input);
  const slash = chosen.indexOf("/");
  const provider = chosen.slice(0, Math.max(slash, 0));
  const model = chosen.slice(slash + 1);
  if (provider === "" || model === "")
    return { problem: withoutProvider(chosen, values.providers) };
  if (provider === "offline") return offlineModel(chosen);
  const place = findPlace(provider, input);
  if ("problem" in place) return place;
  const overall = role === "default" ? values["models.context_window"] : undefined;
  const contextWindow = overall ?? place.window ?? knownWindow(knownProvider(provider), model);
  const { api, baseUrl, keyVariable } = place;
  return { name: chosen, provider, model, api, baseUrl, keyVariable, contextWindow };
}

function chooseName(name: string | undefined, { values, env, role }: ResolveModelInput): string {
  const smol = role === "smol" ? values["models.smol"] : undefined;
  return smol ?? name ?? values["models.default"] ?? firstWithKey(env);
}

function firstWithKey(env: Environment): string {
  const provider = FIRST_KEY_ORDER.find((name) => presentKey(knownProvider(name), env));
  const model = provider && knownProvider(provider)?.models[0];
  return model === undefined ? OFFLINE_MODEL : `${provider}/${model}`;
}

function offlineModel(name: string): ChosenModel | ModelProblem {
  if (name !== OFFLINE_MODEL) return { problem: `the only offline model is ${OFFLINE_MODEL}.` };
  return {
    name,
    provider: "offline",
    model: "rehearsal",
    api: "offline",
    contextWindow: 200_000,
  };
}

function withoutProvider(name: string, own: SettingValues["providers"]): string {
  const all = Object.entries(KNOWN_PROVIDERS).flatMap(([provider, { models }]) =>
    models.map((model) => ({ model, full: `${provider}/${model}` })),
  );
  const word = name.replaceAll("/", "").toLowerCase();
  const near = nearest(
    word,
    all.map(({ model }) => model),
  );
  const meant =
    all.find(({ model }) => model === near) ??
    all.find(({ full }) => word.length > 2 && full.includes(word));
  const example = Object.hasOwn(own, word) ? `${word}/<model>` : meant?.full;
  const hint =
    example === undefined
      ? "such as anthropic/claude-sonnet-5-5 or ollama/<model>"
      : `such as ${example}`;
  return `a model is written provider/model, ${hint}, not "${name}".`;
}

import type { Environment } from "@caliban/common";
import type { LoadedSettings } from "@caliban/settings/node";
import { KNOWN_PROVIDERS } from "../../providers/provider-table.ts";
import { OFFLINE_MODEL } from "../../providers/find-place.ts";
import { resolveModel } from "../../providers/resolve-model.ts";
import { type Check, note, ok, problem } from "./check.ts";

export interface CheckModelInput {
  readonly env: Environment;
  readonly settings: LoadedSettings;
  /** `--model` */
  readonly wanted: string | undefined;
}

/** Which keys there are, never what they are, and which model answers because of them. */
export function checkModel(input: CheckModelInput): readonly Check[] {
  return [...checkKeys(input), checkChoice(input)];
}

function checkKeys({ env, settings }: CheckModelInput): readonly Check[] {
  const own = settings.values.providers;
  const known = Object.entries(KNOWN_PROVIDERS).map(
    ([name, { keyVariables }]) => [name, keyVariables] as const,
  );
  const named = Object.entries(own).flatMap(([name, { api_key_env: variable }]) =>
    variable === undefined ? [] : [[name, [variable]] as const],
  );
  const variables = new Map<string, readonly string[]>([...known, ...named]);
  return [...variables].flatMap(([provider, names]) => {
    if (names.length === 0) return [];
    const present = names.find((name) => (env[name] ?? "").trim() !== "");
    const about = `key of ${provider}`;
    if (present !== undefined) return [ok(about, `${present} is set.`)];
    return [note(about, `${names.join(" or ")} is not set.`)];
  });
}

function checkChoice({ env, settings, wanted }: CheckModelInput): Check {
  const chosen = resolveModel(wanted, { values: settings.values, env });
  if ("problem" in chosen)
    return problem("model", chosen.problem, "Name another model with --model or [models] default.");
  const reason = reasonOf({ env, settings, wanted }, chosen.keyVariable);
  if (chosen.name === OFFLINE_MODEL && reason === NO_KEY)
    return note(
      "model",
      `${chosen.name} answers, because ${reason}: it remembers and finds, and does no work.`,
      "Set the key of a provider, such as ANTHROPIC_API_KEY, or name a local one: caliban settings set models.default ollama/<model>",
    );
  return ok("model", `${chosen.name} answers, because ${reason}.`);
}

const NO_KEY = "no key is set and no model is named";

function reasonOf({ settings, wanted }: CheckModelInput, keyVariable: string | undefined): string {
  if (wanted !== undefined) return "--model says so";
  if (settings.values["models.default"] !== undefined) {
    const origins = settings.effective.find(({ key }) => key === "models.default")?.origins;
    return `[models] default says so (${origins?.at(-1)?.where ?? "settings"})`;
  }
  return keyVariable === undefined ? NO_KEY : `${keyVariable} is the first key that is set`;
}

import { isLoopback } from "@caliban/common";
import type { LoadedSettings } from "@caliban/settings/node";
import type { Host } from "../../host.ts";
import { KNOWN_PROVIDERS, type ModelDiagnostic, OFFLINE_MODEL, type ResolvedModel, resolveModel } from "@caliban/providers";
import { type Check, note, ok, problem } from "./check.ts";
import { isListening } from "./loopback.ts";
import { shownPath } from "./shown-path.ts";

export interface CheckModelInput {
  readonly host: Pick<Host, "env" | "platform" | "home">;
  readonly settings: LoadedSettings;
  /** `--model` */
  readonly wanted: string | undefined;
}

/** Which keys there are, never what they are, which model is asked because of them, and where. */
export async function checkModel(input: CheckModelInput): Promise<readonly Check[]> {
  return [...checkKeys(input), await checkChoice(input)];
}

function checkKeys({ host: { env }, settings }: CheckModelInput): readonly Check[] {
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

async function checkChoice(input: CheckModelInput): Promise<Check> {
  const { host, settings, wanted } = input;
  const chosen = resolveModel(wanted, { values: settings.values, env: host.env });
  if ("problem" in chosen) {
    return problem("model", chosen.problem.message, modelRemedy(chosen.problem));
  }
  const reason = reasonOf(input, chosen.keyVariable);
  if (chosen.name === OFFLINE_MODEL && reason === NO_KEY)
    return note(
      "model",
      `${chosen.name} answers, because ${reason}: it remembers and finds, and does no work.`,
      "Set the key of a provider, such as ANTHROPIC_API_KEY, or name a local one: caliban settings set models.default ollama/<model>",
    );
  return await checkAddress(chosen, reason);
}

/** How to fix a model that cannot be used; names the variable when a key is the problem. */
export function modelRemedy({ keyVariable }: ModelDiagnostic): string {
  return keyVariable === undefined
    ? "Choose another model with --model or [models] default."
    : `Set ${keyVariable}, or choose another model: caliban settings set models.default provider/model`;
}

/** Only a server on this machine is looked for: a look at any other would tell it that somebody is here. */
async function checkAddress({ name, baseUrl }: ResolvedModel, reason: string): Promise<Check> {
  if (baseUrl === undefined) return ok("model", `${name} answers, because ${reason}.`);
  const url = new URL(baseUrl);
  const shown = `${url.origin}${url.pathname}`;
  const sentence = `${name} is asked, at ${shown}, because ${reason}.`;
  if (!isLoopback(url) || (await isListening(url))) return ok("model", sentence);
  return problem(
    "model",
    `${sentence} Nothing listens there.`,
    "Start that server, or name another model with --model or [models] default.",
  );
}

const NO_KEY = "no key is set and no model is named";

function reasonOf(
  { host, settings, wanted }: CheckModelInput,
  keyVariable: string | undefined,
): string {
  if (wanted !== undefined) return "--model says so";
  if (settings.values["models.default"] !== undefined) {
    const origins = settings.effective.find(({ key }) => key === "models.default")?.origins;
    return `[models] default says so (${shownPath(host, origins?.at(-1)?.where ?? "settings")})`;
  }
  return keyVariable === undefined ? NO_KEY : `${keyVariable} is the first key that is set`;
}

import { isLoopback, spellCommands } from "@caliban/common";
import {
  type ModelDiagnostic,
  OFFLINE_MODEL,
  providerKeys,
  type ResolvedModel,
  resolveModel,
} from "@caliban/providers";
import { isListening } from "@caliban/providers/node";
import type { LoadedSettings } from "@caliban/settings/node";
import type { Host } from "../../host.ts";
import { abbreviatePath } from "../user-paths.ts";
import { type Check, note, ok, problem } from "./check.ts";

export interface CheckModelInput {
  readonly host: Pick<Host, "env" | "platform" | "home" | "command">;
  readonly settings: LoadedSettings;
  /** The value of `--model`. */
  readonly requested: string | undefined;
}

/** Checks which keys are set, without showing them, which model is used, why, and whether it can be reached. */
export async function checkModel(input: CheckModelInput): Promise<readonly Check[]> {
  return [...checkKeys(input), await checkChoice(input)];
}

function checkKeys({ host: { env }, settings }: CheckModelInput): readonly Check[] {
  return providerKeys(settings.values.providers, env).map(({ provider, variables, present }) => ({
    about: `key of ${provider}`,
    label: `${provider} key`,
    status: present === undefined ? "note" : "ok",
    message: present === undefined ? `${variables.join(" or ")} is not set` : `${present} is set`,
  }));
}

async function checkChoice(input: CheckModelInput): Promise<Check> {
  const { host, settings, requested } = input;
  const chosen = resolveModel(requested, { values: settings.values, env: host.env });
  if ("problem" in chosen)
    return problem(
      "model",
      spellCommands(chosen.problem, host.command),
      modelRemedy(chosen.problem, host),
    );
  const reason = findReason(input, chosen);
  if (chosen.name === OFFLINE_MODEL && reason === undefined)
    return note(
      "model",
      `No API key found, so the built-in offline model ${chosen.name} is answering from memory only.`,
      `Set the key of a provider, such as ANTHROPIC_API_KEY, or choose a local model: ${host.command("settings set models.default ollama/<model>")}`,
    );
  return await checkAddress(chosen, reason ?? "because no model is configured");
}

/** How to fix a model that cannot be used. Names the variable if a key is missing. */
export function modelRemedy(
  { keyVariable }: ModelDiagnostic,
  { command }: Pick<Host, "command">,
): string {
  return keyVariable === undefined
    ? "Choose another model with --model or [models] default."
    : `Set ${keyVariable}, or choose another model: ${command("settings set models.default <provider/model>")}`;
}

/** Why this model is used; `undefined` when nothing chose it. */
function findReason(
  { host, settings, requested }: CheckModelInput,
  { keyVariable }: Pick<ResolvedModel, "keyVariable">,
): string | undefined {
  if (requested !== undefined) return "from --model";
  if (settings.values["models.default"] !== undefined) {
    const origins = settings.effective.find(({ key }) => key === "models.default")?.origins;
    const path = abbreviatePath(host, origins?.at(-1)?.where ?? "settings");
    return `from [models] default in ${path}`;
  }
  return keyVariable === undefined ? undefined : `because ${keyVariable} is set`;
}

/** Only contacts servers on this machine, because contacting any other would reveal the user to it. */
async function checkAddress({ name, baseUrl }: ResolvedModel, reason: string): Promise<Check> {
  if (baseUrl === undefined) return ok("model", `${name}, ${reason}`);
  const url = new URL(baseUrl);
  const message = `${name} at ${url.origin}${url.pathname}, ${reason}`;
  if (!isLoopback(url) || (await isListening(url))) return ok("model", message);
  return problem(
    "model",
    `${message}, but nothing is listening there`,
    "Start that server, or choose another model with --model or [models] default.",
  );
}

import { connect } from "node:net";
import { isLoopback, spellCommands } from "@caliban/common";
import {
  KNOWN_PROVIDERS,
  type ModelDiagnostic,
  OFFLINE_MODEL,
  type ResolvedModel,
  resolveModel,
} from "@caliban/providers";
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
  const known = Object.entries(KNOWN_PROVIDERS).map(
    ([name, { keyVariables }]) => [name, keyVariables] as const,
  );
  const configured = Object.entries(settings.values.providers).flatMap(
    ([name, { api_key_env: variable }]) =>
      variable === undefined ? [] : [[name, [variable]] as const],
  );
  const variables = new Map<string, readonly string[]>([...known, ...configured]);
  return [...variables].flatMap(([provider, names]) => {
    if (names.length === 0) return [];
    const present = names.find((name) => (env[name] ?? "").trim() !== "");
    const about = `key of ${provider}`;
    const label = `${provider} key`;
    if (present !== undefined) return [{ ...ok(about, `${present} is set`), label }];
    return [{ ...note(about, `${names.join(" or ")} is not set`), label }];
  });
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
  const choice = findChoice(input, chosen);
  if (chosen.name === OFFLINE_MODEL && choice.kind === "fallback")
    return note(
      "model",
      `No API key found, so the built-in offline model ${chosen.name} is answering from memory only.`,
      `Set the key of a provider, such as ANTHROPIC_API_KEY, or choose a local model: ${host.command("settings set models.default ollama/<model>")}`,
    );
  return await checkAddress(chosen, describeChoice(choice));
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

/** Why this model is used. */
type ModelChoice =
  | { readonly kind: "option" }
  | { readonly kind: "setting"; readonly path: string }
  | { readonly kind: "key"; readonly variable: string }
  | { readonly kind: "fallback" };

function findChoice(
  { host, settings, requested }: CheckModelInput,
  { keyVariable }: Pick<ResolvedModel, "keyVariable">,
): ModelChoice {
  if (requested !== undefined) return { kind: "option" };
  if (settings.values["models.default"] !== undefined) {
    const origins = settings.effective.find(({ key }) => key === "models.default")?.origins;
    const path = abbreviatePath(host, origins?.at(-1)?.where ?? "settings");
    return { kind: "setting", path };
  }
  return keyVariable === undefined ? { kind: "fallback" } : { kind: "key", variable: keyVariable };
}

function describeChoice(choice: ModelChoice): string {
  switch (choice.kind) {
    case "option":
      return "from --model";
    case "setting":
      return `from [models] default in ${choice.path}`;
    case "key":
      return `because ${choice.variable} is set`;
    case "fallback":
      return "because no model is configured";
  }
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

const CONNECT_TIMEOUT_MS = 1000;

/** Whether a server accepts connections. Nothing is sent. */
async function isListening({ hostname, port, protocol }: URL): Promise<boolean> {
  const defaultPort = protocol === "https:" ? 443 : 80;
  return await new Promise((resolve) => {
    const socket = connect({
      host: hostname.replace(/^\[|\]$/g, ""),
      port: port === "" ? defaultPort : Number(port),
      timeout: CONNECT_TIMEOUT_MS,
    });
    const finish = (result: boolean): void => {
      socket.destroy();
      resolve(result);
    };
    socket.on("connect", () => finish(true));
    socket.on("timeout", () => finish(false));
    socket.on("error", () => finish(false));
  });
}

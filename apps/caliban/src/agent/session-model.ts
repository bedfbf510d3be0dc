import type { Session } from "../compose.ts";
import type { Host } from "../host.ts";
import { markForCache } from "../providers/cache-marks.ts";
import { keyValues } from "../providers/key-variables.ts";
import { openModel } from "../providers/open-model.ts";
import { type ChosenModel, resolveModel } from "../providers/resolve-model.ts";
import { UsageError } from "../usage-error.ts";
import type { OpenModel } from "./conversation-state.ts";
import { withAdvice } from "./failure-advice.ts";

/**
 * Opens the model of a name, or the one that the settings and keys give.
 * @throws UsageError when there is no such model, or no key for it
 */
export async function openSessionModel(
  name: string | undefined,
  host: Host,
  session: Session,
): Promise<OpenModel> {
  return await openChosen(chosenModel(host, session, { name, role: "default" }), host, session);
}

/**
 * Opens the model for small work, where the settings name one of its own; `undefined` where they do not.
 * @throws UsageError like the other
 */
export async function openSmallModel(host: Host, session: Session): Promise<OpenModel | undefined> {
  if (session.settings.values["models.smol"] === undefined) return undefined;
  return await openChosen(chosenModel(host, session, { role: "smol" }), host, session);
}

function chosenModel(
  { env }: Host,
  { settings }: Session,
  { name, role }: { readonly name?: string | undefined; readonly role: "default" | "smol" },
): ChosenModel {
  const chosen = resolveModel(name, { values: settings.values, env, role });
  if ("problem" in chosen) throw new UsageError(chosen.problem);
  return chosen;
}

async function openChosen(
  chosen: ChosenModel,
  { env }: Host,
  { settings }: Session,
): Promise<OpenModel> {
  const model = await openModel(chosen, { env });
  const { api } = chosen;
  return {
    chosen,
    model,
    markCache: api === "anthropic" ? (prompt) => markForCache(prompt, api) : undefined,
    secrets: keyValues(settings.values.providers, env),
    explainFailure: (failure) => withAdvice(failure, chosen),
  };
}

import type { ModelFailure } from "@caliban/agent-core";
import type { Session } from "../compose.ts";
import type { Host } from "../host.ts";
import { markForCache } from "../providers/cache-marks.ts";
import { openModel } from "../providers/open-model.ts";
import { type ChosenModel, resolveModel } from "../providers/resolve-model.ts";
import { UsageError } from "../usage-error.ts";
import type { OpenModel } from "./conversation-state.ts";

/**
 * Opens the model of a name, or the one that the settings and keys give.
 * @throws UsageError when there is no such model, or no key for it
 */
export async function openSessionModel(
  name: string | undefined,
  { env }: Host,
  { settings }: Session,
): Promise<OpenModel> {
  const chosen = resolveModel(name, { values: settings.values, env });
  if ("problem" in chosen) throw new UsageError(chosen.problem);
  const model = await openModel(chosen, { env });
  const { api } = chosen;
  return {
    chosen,
    model,
    markCache: api === "anthropic" ? (prompt) => markForCache(prompt, api) : undefined,
    explainFailure: (failure) => explained(failure, chosen),
  };
}

/** Only we know where the key came from and where the conversation can be made shorter. */
function explained(failure: ModelFailure, { keyVariable }: ChosenModel): ModelFailure {
  if (failure.code === "auth") {
    const place =
      keyVariable === undefined ? "No key was sent." : `The key came from ${keyVariable}.`;
    return { ...failure, sentence: `${failure.sentence} ${place}` };
  }
  if (failure.code === "overflow") {
    return { ...failure, sentence: `${failure.sentence} Begin anew with /clear, or /compact.` };
  }
  return failure;
}

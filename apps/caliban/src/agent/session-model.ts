import type { Session } from "../compose.ts";
import type { Host } from "../host.ts";
import { markForCache } from "../providers/cache-marks.ts";
import { keyValues } from "../providers/key-variables.ts";
import { openModel } from "../providers/open-model.ts";
import { resolveModel } from "../providers/resolve-model.ts";
import { UsageError } from "../usage-error.ts";
import type { OpenModel } from "./conversation-state.ts";
import { withAdvice } from "./failure-advice.ts";

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
    secrets: keyValues(settings.values.providers, env),
    explainFailure: (failure) => withAdvice(failure, chosen),
  };
}

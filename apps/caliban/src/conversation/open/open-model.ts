import { addCacheControl, resolveModel } from "@caliban/providers";
import { openModel } from "@caliban/providers/node";
import type { Project } from "../../project/project.ts";
import { secretValues } from "../../project/secret-variables.ts";
import { UsageError } from "../../usage-error.ts";
import type { ModelOpener, OpenModel } from "../turn/state.ts";
import { withAdvice } from "./failure-advice.ts";

/** Opens the models that the settings and keys of a project select. */
export const PROJECT_MODELS: ModelOpener = {
  open: async (name, project) => await openSelected(project, { name, role: "default" }),
  openSmall: async (project) =>
    project.settings.values["models.smol"] === undefined
      ? undefined
      : await openSelected(project, { role: "smol" }),
};

async function openSelected(
  { host: { command }, environment: { env }, settings }: Project,
  { name, role }: { readonly name?: string | undefined; readonly role: "default" | "smol" },
): Promise<OpenModel> {
  const chosen = resolveModel(name, { values: settings.values, env, role });
  if ("problem" in chosen) throw new UsageError(chosen.problem);
  const { api } = chosen;
  const model = await openModel(chosen, { env, command });
  return {
    model,
    modelName: chosen.name,
    contextWindow: chosen.contextWindow,
    acceptsImages: chosen.acceptsImages,
    plainSummaries: model.provider === "offline",
    markCache: api === "anthropic" ? (prompt) => addCacheControl(prompt, api) : undefined,
    secrets: secretValues(settings, env),
    explainFailure: (failure) => withAdvice({ failure, model: chosen, command }),
  };
}

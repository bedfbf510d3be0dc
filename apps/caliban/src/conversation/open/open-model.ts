import type { Project } from "../../project/project.ts";
import { addCacheControl, keyValues, type ResolvedModel, resolveModel } from "@caliban/providers";
import { openModel } from "@caliban/providers/node";
import { UsageError } from "../../usage-error.ts";
import type { OpenModel } from "../state.ts";
import { withAdvice } from "./failure-advice.ts";

/**
 * Opens the model of a name, or the one that the settings and keys give.
 * @throws UsageError when there is no such model, or no key for it
 */
export async function openProjectModel(
  name: string | undefined,
  project: Project,
): Promise<OpenModel> {
  return await openChosen(chosenModel(project, { name, role: "default" }), project);
}

/**
 * Opens the model for small work, where the settings name one of its own; `undefined` where they do not.
 * @throws UsageError like the other
 */
export async function openSmallModel(project: Project): Promise<OpenModel | undefined> {
  if (project.settings.values["models.smol"] === undefined) return undefined;
  return await openChosen(chosenModel(project, { role: "smol" }), project);
}

function chosenModel(
  { environment: { env }, settings }: Project,
  { name, role }: { readonly name?: string | undefined; readonly role: "default" | "smol" },
): ResolvedModel {
  const chosen = resolveModel(name, { values: settings.values, env, role });
  if ("problem" in chosen) throw new UsageError(chosen.problem.message);
  return chosen;
}

async function openChosen(
  chosen: ResolvedModel,
  { environment: { env }, settings }: Project,
): Promise<OpenModel> {
  const model = await openModel(chosen, { env });
  const { api } = chosen;
  return {
    chosen,
    model,
    markCache: api === "anthropic" ? (prompt) => addCacheControl(prompt, api) : undefined,
    secrets: keyValues(settings.values.providers, env),
    explainFailure: (failure) => withAdvice(failure, chosen),
  };
}

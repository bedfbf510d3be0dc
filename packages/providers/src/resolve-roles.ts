import type { ModelDiagnostic, ModelProblem } from "./find-endpoint.ts";
import { type ResolvedModel, resolveModel, type ResolveModelInput } from "./resolve-model.ts";

/** The models that answer (`default`) and do small tasks (`smol`). */
export interface ModelRoles {
  readonly default: ResolvedModel;
  readonly smol: ResolvedModel;
  /** Why the model that the user chose for small tasks is not used. */
  readonly smolProblem?: ModelDiagnostic | undefined;
}

/** Resolves both roles by the settings. If the small model is not available, the other does its work. */
export function resolveRoles(input: Omit<ResolveModelInput, "role">): ModelRoles | ModelProblem {
  const main = resolveModel(undefined, input);
  if ("problem" in main) return main;
  // Without a name of its own, the small model is the main one, including its context window.
  if (input.values["models.smol"] === undefined) return { default: main, smol: main };
  const smol = resolveModel(undefined, { ...input, role: "smol" });
  if (!("problem" in smol)) return { default: main, smol };
  return { default: main, smol: main, smolProblem: smol.problem };
}

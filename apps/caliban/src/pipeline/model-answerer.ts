import type { Completion, CompletionRequest } from "@caliban/autonomous-memory";
import type { Environment } from "@caliban/common";
import { openModel } from "@caliban/providers/node";
import type { ResolvedModel } from "@caliban/providers";
import { askForJson, isAboutFormat } from "./ask-for-json.ts";

/** One of the person's models by itself. */
export type Complete = (request: CompletionRequest) => Promise<Completion>;

export interface ModelAnswererInput {
  readonly env: Environment;
  /** Masked wherever a provider repeats them. */
  readonly secrets: readonly string[];
}

/** Opens a model. It remembers for as long as it lives that its provider cannot be held to a schema. */
export async function openAnswerer(
  chosen: ResolvedModel,
  { env, secrets }: ModelAnswererInput,
): Promise<Complete> {
  const model = await openModel(chosen, { env });
  let hasSchema = true;
  return async (request) => {
    const answerer = { model, chosen, secrets, hasSchema };
    try {
      return await askForJson(answerer, request);
    } catch (error) {
      if (!answerer.hasSchema || !isAboutFormat(error)) throw error;
      hasSchema = false;
      return await askForJson({ ...answerer, hasSchema: false }, request);
    }
  };
}

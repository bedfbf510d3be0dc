import {
  type CompletionModel,
  createRuleModel,
  type ModelRole,
  PipelineError,
} from "@caliban/autonomous-memory";
import type { ResolvedModel } from "@caliban/providers";
import type { Complete, ModelAnswererInput } from "./model-answerer.ts";
import type { PipelineModels } from "./pipeline-job.ts";

export interface PipelineModelInput extends ModelAnswererInput {
  readonly models: PipelineModels;
  readonly onNotice: (sentence: string) => void;
}

/**
 * The person's models as the pipeline asks them; where nobody but the offline model is there, rules answer. A provider is
 * loaded with the first question.
 */
export function createPipelineModel(input: PipelineModelInput): CompletionModel {
  const { models, onNotice } = input;
  const rules = createRuleModel();
  const answerer = (chosen: ResolvedModel): Complete =>
    isOffline(chosen) ? rules.complete : modelAnswerer(chosen, input);
  const byDefault = answerer(models.default);
  const isOne = models.smol.name === models.default.name;
  const small = isOne
    ? byDefault
    : withFallback(answerer(models.smol), byDefault, { onNotice, name: models.smol.name });
  const completes: Readonly<Record<ModelRole, Complete>> = { default: byDefault, smol: small };
  const windowOf = (role: ModelRole): number =>
    isOffline(models[role]) ? rules.contextWindow(role) : models[role].contextWindow;
  return {
    complete: (request) => completes[request.role](request),
    // Whoever falls back must not have been given more than the other can see.
    contextWindow: (role) =>
      role === "default" ? windowOf("default") : Math.min(windowOf("smol"), windowOf("default")),
    isLocal: (role) => isOffline(models[role]),
    extractor: extractorOf(models.default, rules.extractor),
  };
}

/** Any model is as good as another, so that a change of models costs nothing; rules are less than a model. */
export function extractorOf(
  chosen: Pick<ResolvedModel, "api">,
  rules: CompletionModel["extractor"],
): CompletionModel["extractor"] {
  return isOffline(chosen) ? rules : { id: "model/1", replaces: [rules.id] };
}

function isOffline({ api }: Pick<ResolvedModel, "api">): boolean {
  return api === "offline";
}

/** Opened with the first question: a start with nothing new needs no provider. */
function modelAnswerer(chosen: ResolvedModel, input: PipelineModelInput): Complete {
  let opening: Promise<Complete> | undefined;
  return async (request) => {
    opening ??= open(chosen, input);
    const complete = await opening;
    return await complete(request);
  };
}

async function open(chosen: ResolvedModel, input: PipelineModelInput): Promise<Complete> {
  const { openAnswerer } = await import("./model-answerer.ts");
  return await openAnswerer(chosen, input);
}

/** The model for small work, until it turns out that it cannot be had: then the one that answers does it. */
function withFallback(
  first: Complete,
  otherwise: Complete,
  { onNotice, name }: Pick<PipelineModelInput, "onNotice"> & { readonly name: string },
): Complete {
  let isUsable = true;
  return async (request) => {
    if (!isUsable) return await otherwise(request);
    try {
      return await first(request);
    } catch (error) {
      if (!(error instanceof PipelineError) || error.code !== "SETUP") throw error;
      isUsable = false;
      onNotice(`${name} for small work cannot be had, so models.default does it: ${error.message}`);
      return await otherwise(request);
    }
  };
}

import type { Complete, CompletionModel, Extractor, ModelRole } from "./completion.ts";
import { isPipelineError } from "../run/errors.ts";
import type { OnNotice } from "../run/notice.ts";
import { createRuleModel } from "./rules/rule-model.ts";

/** One model, for one role or for both. */
export interface NamedModel {
  readonly name: string;
  readonly contextWindow: number;
  readonly complete: Complete;
  /** Whether it answers on this machine, at no cost. */
  readonly isLocal: boolean;
}

export interface CombineModelsInput {
  /** Reads sessions. */
  readonly default: NamedModel;
  /** Maintains the memory; pass the same object as `default` to use one model for both. */
  readonly smol: NamedModel;
  readonly onNotice?: OnNotice | undefined;
}

/** Two models as the pipeline asks them: `default` takes over when `smol` turns out to be unavailable. */
export function combineModels(models: CombineModelsInput): CompletionModel {
  const { default: main, smol } = models;
  const completeSmall = smol === main ? main.complete : withFallback(models);
  return {
    complete: (request) =>
      request.role === "default" ? main.complete(request) : completeSmall(request),
    // The fallback must be able to read everything that the small model was given.
    contextWindow: (role) =>
      role === "default" ? main.contextWindow : Math.min(smol.contextWindow, main.contextWindow),
    isLocal: (role: ModelRole) => models[role].isLocal,
    extractor: extractorOf(main),
  };
}

/** Any language model is as good as another, so that switching models costs nothing; rules are inferior to all of them. */
export function extractorOf({ isLocal }: Pick<NamedModel, "isLocal">): Extractor {
  const rules = createRuleModel().extractor;
  return isLocal ? rules : { id: "model/1", replaces: [rules.id] };
}

function withFallback({ default: main, smol, onNotice }: CombineModelsInput): Complete {
  let isAvailable = true;
  return async (request) => {
    if (!isAvailable) return await main.complete(request);
    try {
      return await smol.complete(request);
    } catch (error) {
      if (!isPipelineError(error) || error.code !== "SETUP") throw error;
      isAvailable = false;
      const message = `the model for small tasks, ${smol.name}, is not available; using models.default instead: ${error.message}`;
      onNotice?.({ code: "MODEL_UNAVAILABLE", message });
      return await main.complete(request);
    }
  };
}

import {
  combineModels,
  type Complete,
  type CompletionModel,
  createRuleModel,
  type NamedModel,
  type OnNotice,
} from "@caliban/autonomous-memory";
import type { ResolvedModel } from "@caliban/providers";
import type { JsonModelInput } from "./json-model.ts";
import type { PipelineModels } from "./pipeline-job.ts";

export interface PipelineModelInput extends JsonModelInput {
  readonly models: PipelineModels;
  readonly onNotice: OnNotice;
}

/** The user's models as the pipeline asks them; rules answer instead of the offline model. */
export function createPipelineModel(input: PipelineModelInput): CompletionModel {
  const { models, onNotice } = input;
  const main = namedModel(models.default, input);
  const isSame = models.smol.name === models.default.name;
  const smol = isSame ? main : namedModel(models.smol, input);
  return combineModels({ default: main, smol, onNotice });
}

/** Whether rules answer for a model, at no cost. */
export function isLocalModel({ api }: Pick<ResolvedModel, "api">): boolean {
  return api === "offline";
}

function namedModel(resolved: ResolvedModel, input: JsonModelInput): NamedModel {
  const { name, contextWindow } = resolved;
  if (!isLocalModel(resolved))
    return { name, contextWindow, complete: openLazily(resolved, input), isLocal: false };
  const rules = createRuleModel();
  return {
    name,
    contextWindow: rules.contextWindow("default"),
    complete: rules.complete,
    isLocal: true,
  };
}

/** Opens the model with the first request: a run with nothing new needs no provider. */
function openLazily(resolved: ResolvedModel, input: JsonModelInput): Complete {
  let opening: Promise<Complete> | undefined;
  const open = async (): Promise<Complete> => {
    const { openJsonModel } = await import("./json-model.ts");
    return await openJsonModel(resolved, input);
  };
  return async (request) => {
    opening ??= open();
    const complete = await opening;
    return await complete(request);
  };
}

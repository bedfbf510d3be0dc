import type { ModelRequest } from "../model/ask-model.ts";

/** A model, and what the program knows about it. */
export interface TurnModel
  extends
    Pick<ModelRequest, "model" | "acceptsImages" | "markCache" | "secrets" | "explainFailure">,
    Partial<Pick<ModelRequest, "modelName">> {
  /** The size of its context window in tokens. With it, a conversation is summarized before it is too long. */
  readonly contextWindow?: number | undefined;
  /** Whether conversations are summarized without asking this model. */
  readonly plainSummaries?: boolean | undefined;
}

/** Names a model as its provider does, unless the program has a name for it. */
export function withModelName<Named extends TurnModel>(
  named: Named,
): Named & { readonly modelName: string } {
  const { model, modelName } = named;
  return { ...named, modelName: modelName ?? `${model.provider}/${model.modelId}` };
}

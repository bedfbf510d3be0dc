import type { ModelRole } from "../../model/completion.ts";
import type { NoReply } from "./ask-model.ts";
import type { PipelineRun } from "./pipeline-run.ts";

/** The share of the context window for the input; the rest is for the instructions, the answer and estimation errors. */
const INPUT_SHARE = 0.7;
/** A smaller input is not worth a request. */
const MIN_TOKENS = 500;
const MAX_HALVINGS = 4;

/** The maximum number of input tokens for a model. */
export function maxInputTokens({ model }: Pick<PipelineRun, "model">, role: ModelRole): number {
  return Math.floor(model.contextWindow(role) * INPUT_SHARE);
}

/** The reply to an input of one size. */
export interface SizedReply<Answer> {
  readonly reply: Answer | NoReply;
  /** The actual size: half of a limit that was not reached would be the same request again. */
  readonly usedTokens: number;
}

/** Sends a request, and again with half the input each time it was too large. */
export async function shrinkOnOverflow<Answer extends { readonly kind: string }>(
  maxTokens: number,
  send: (maxTokens: number) => Promise<SizedReply<Answer>>,
): Promise<Answer | NoReply> {
  let tokens = maxTokens;
  for (let halvings = 0; ; halvings++) {
    const { reply, usedTokens } = await send(tokens);
    const half = Math.floor(Math.min(tokens, usedTokens) / 2);
    if (!isOverflow(reply) || halvings === MAX_HALVINGS || half < MIN_TOKENS) return reply;
    tokens = half;
  }
}

function isOverflow(reply: { readonly kind: string } | NoReply): boolean {
  return reply.kind === "failed" && "failure" in reply && reply.failure.errorClass === "overflow";
}

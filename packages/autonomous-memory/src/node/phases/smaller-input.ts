import type { ModelRole } from "../../complete.ts";
import type { Asked } from "./ask.ts";
import type { PipelineParts } from "./pipeline-parts.ts";

/** Of a model's window: what an input may take; the rest is for the instructions, the answer and a wrong estimate. */
const SHARE = 0.7;
/** Less than this is not worth asking about. */
const LEAST_TOKENS = 500;
const MOST_HALVINGS = 4;

/** Most tokens that a model is given at once. */
export function inputTokens({ model }: Pick<PipelineParts, "model">, role: ModelRole): number {
  return Math.floor(model.contextWindow(role) * SHARE);
}

/** Asks with half as much each time that it was too much. */
export async function smallerInput<Answer extends { readonly kind: string }>(
  maxTokens: number,
  askWith: (maxTokens: number) => Promise<Answer | Exclude<Asked, { kind: "answered" }>>,
): Promise<Answer | Exclude<Asked, { kind: "answered" }>> {
  let tokens = maxTokens;
  for (let halvings = 0; ; halvings++) {
    // oxlint-disable-next-line no-await-in-loop -- whether to ask again depends on the answer
    const asked = await askWith(tokens);
    if (!isOverflow(asked) || halvings === MOST_HALVINGS || tokens / 2 < LEAST_TOKENS) return asked;
    tokens = Math.floor(tokens / 2);
  }
}

function isOverflow(asked: object): boolean {
  return (
    "failure" in asked &&
    typeof asked.failure === "object" &&
    asked.failure !== null &&
    "errorClass" in asked.failure &&
    asked.failure.errorClass === "overflow"
  );
}

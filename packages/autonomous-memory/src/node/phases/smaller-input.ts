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

type Failed = Exclude<Asked, { kind: "answered" }>;

/** What came of one size. */
export interface Sized<Answer> {
  readonly asked: Answer | Failed;
  /** How large the input really was: half of a limit that was not reached would be the same question again. */
  readonly usedTokens: number;
}

/** Asks with half as much each time that it was too much. */
export async function smallerInput<Answer extends { readonly kind: string }>(
  maxTokens: number,
  askWith: (maxTokens: number) => Promise<Sized<Answer>>,
): Promise<Answer | Failed> {
  let tokens = maxTokens;
  for (let halvings = 0; ; halvings++) {
    // oxlint-disable-next-line no-await-in-loop -- whether to ask again depends on the answer
    const { asked, usedTokens } = await askWith(tokens);
    const half = Math.floor(Math.min(tokens, usedTokens) / 2);
    if (!isOverflow(asked) || halvings === MOST_HALVINGS || half < LEAST_TOKENS) return asked;
    tokens = half;
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

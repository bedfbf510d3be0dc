import type { ClassifiedError } from "../../classify-error.ts";
import type { Completion } from "../../complete.ts";

/** What is wrong with an answer that cannot be used. A cut one may become whole when there is less to say. */
export function uselessAnswer(
  { finishReason }: Pick<Completion, "finishReason">,
  sentence: string,
): ClassifiedError {
  if (finishReason === "length")
    return { errorClass: "overflow", sentence: "the answer was cut off at its longest" };
  if (finishReason === "refusal")
    return { errorClass: "permanent", sentence: "the model refused to answer" };
  return { errorClass: "permanent", sentence };
}

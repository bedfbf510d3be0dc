import type { ModelFailure, ModelFailureCode } from "@caliban/agent-core";
import type { ResolvedModel } from "@caliban/providers";

type Advice = (failure: ModelFailure, model: ResolvedModel) => string;

/** What a person can do about each kind of failure; nothing where the sentence says it already. */
const ADVICE: Readonly<Record<ModelFailureCode, Advice>> = {
  overflow: () =>
    "Begin a new conversation, or say less at once; on the screen, /compact sums up what was said.",
  auth: (_, { keyVariable, provider }) =>
    keyVariable === undefined
      ? `None was sent: name the variable of a key with api_key_env below [providers.${provider}].`
      : `The key came from ${keyVariable}.`,
  "rate-limit": waiting,
  overloaded: waiting,
  server: waiting,
  network: () => "`caliban doctor` shows which model is asked, and why.",
  timeout: () => "Try again, or choose another model with --model.",
  "bad-request": () => "",
  "unknown-model": () => "`caliban settings set models.default provider/model` chooses another.",
  "cut-stream": () => "Try again.",
  garbage: () => "Is the address the one of a model server? `caliban doctor` shows it.",
};

/** Adds to a failure what only the program knows: where the key came from, how long to wait, what to type next. */
export function withAdvice(failure: ModelFailure, model: ResolvedModel): ModelFailure {
  const advice = ADVICE[failure.code](failure, model);
  return advice === "" ? failure : { ...failure, message: `${failure.message} ${advice}` };
}

const MINUTE_MS = 60_000;

function waiting({ retryAfterMs }: ModelFailure): string {
  const otherwise = "or choose another model with --model.";
  if (retryAfterMs === undefined || retryAfterMs < MINUTE_MS)
    return `Try again later, ${otherwise}`;
  const minutes = Math.ceil(retryAfterMs / MINUTE_MS);
  return `It asks to be left alone for ${minutes} ${minutes === 1 ? "minute" : "minutes"}: try again then, ${otherwise}`;
}

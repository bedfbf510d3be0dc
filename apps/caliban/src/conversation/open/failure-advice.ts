import type { ModelFailure, ModelFailureCode } from "@caliban/agent-core";
import type { ResolvedModel } from "@caliban/providers";

type Advice = (failure: ModelFailure, model: ResolvedModel) => string;

/** What the user can do about each kind of failure; empty when the message already says it. */
const ADVICE: Readonly<Record<ModelFailureCode, Advice>> = {
  overflow: () =>
    "Start a new conversation or send less at once. On the screen, /compact summarizes the conversation.",
  auth: (_, { keyVariable, provider }) =>
    keyVariable === undefined
      ? `No key was sent. Set api_key_env in [providers.${provider}] to the variable that contains it.`
      : `The key came from ${keyVariable}.`,
  "rate-limit": waitAdvice,
  overloaded: waitAdvice,
  server: waitAdvice,
  network: () => "Run `caliban doctor` to see which model is used, and why.",
  timeout: () => "Try again, or choose another model with --model.",
  "bad-request": () => "",
  "unknown-model": () => "Choose another with: caliban settings set models.default provider/model",
  "cut-stream": () => "Try again.",
  garbage: () => "Check that the URL is that of a model server. Run `caliban doctor` to see it.",
};

/** Adds what only the program knows: where the key came from, how long to wait, what to type next. */
export function withAdvice(failure: ModelFailure, model: ResolvedModel): ModelFailure {
  const advice = ADVICE[failure.code](failure, model);
  return advice === "" ? failure : { ...failure, message: `${failure.message} ${advice}` };
}

const MINUTE_MS = 60_000;

function waitAdvice({ retryAfterMs }: ModelFailure): string {
  const alternative = "or choose another model with --model.";
  if (retryAfterMs === undefined || retryAfterMs < MINUTE_MS)
    return `Try again later, ${alternative}`;
  const minutes = Math.ceil(retryAfterMs / MINUTE_MS);
  return `Try again in ${minutes} ${minutes === 1 ? "minute" : "minutes"}, ${alternative}`;
}

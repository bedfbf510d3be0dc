import type { ModelFailure, ModelFailureCode } from "@caliban/agent-core";
import type { SpellCommand } from "@caliban/common";
import type { ResolvedModel } from "@caliban/providers";

interface AdviceInput {
  readonly failure: ModelFailure;
  readonly model: ResolvedModel;
  readonly command: SpellCommand;
}

type Advice = (input: AdviceInput) => string;

/** What the user can do about each kind of failure; empty when the message already says it. */
const ADVICE: Readonly<Record<ModelFailureCode, Advice>> = {
  overflow: () =>
    "Start a new conversation or send less at once. On the screen, /compact summarizes the conversation.",
  auth: ({ model: { keyVariable, provider } }) =>
    keyVariable === undefined
      ? `No key was sent. Set api_key_env in [providers.${provider}] to the variable that contains it.`
      : `The key came from ${keyVariable}.`,
  "rate-limit": waitAdvice,
  overloaded: waitAdvice,
  server: waitAdvice,
  network: ({ command }) => `To see which model is used and why, run: ${command("doctor")}`,
  timeout: ({ command }) => `Try again, or ${otherModel(command)}`,
  "bad-request": () => "",
  "unknown-model": ({ command }) =>
    `Choose another with: ${command("settings set models.default <provider/model>")}`,
  "cut-stream": () => "Try again.",
  garbage: ({ command }) =>
    `Check that the URL is that of a model server. To see it, run: ${command("doctor")}`,
};

/** Adds what only the program knows: where the key came from, how long to wait, what to type next. */
export function withAdvice(input: AdviceInput): ModelFailure {
  const { failure } = input;
  const advice = ADVICE[failure.code](input);
  return advice === "" ? failure : { ...failure, message: `${failure.message} ${advice}` };
}

const MINUTE_MS = 60_000;

function waitAdvice({ failure: { retryAfterMs }, command }: AdviceInput): string {
  const alternative = `or ${otherModel(command)}`;
  if (retryAfterMs === undefined || retryAfterMs < MINUTE_MS)
    return `Try again later, ${alternative}`;
  const minutes = Math.ceil(retryAfterMs / MINUTE_MS);
  return `Try again in ${minutes} ${minutes === 1 ? "minute" : "minutes"}, ${alternative}`;
}

function otherModel(command: SpellCommand): string {
  return `choose another model with: ${command("--model <provider/model>")}`;
}

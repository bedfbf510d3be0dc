import type { LanguageModelV4, LanguageModelV4Prompt } from "@ai-sdk/provider";
import type { AgentEvent } from "../loop/agent-event.ts";
import { classifyFailure } from "./classify-failure.ts";
import type { Clock } from "../clock.ts";
import { type Answer, createAnswerCollector } from "./collect-answer.ts";
import type { Message } from "../message.ts";
import type { ModelFailure } from "./model-failure.ts";
import { nextOrEnd, readStream, type RequestSignal } from "./read-stream.ts";
import { DEFAULT_RETRY_POLICY, retryDelayMs, type RetryPolicy } from "./retry.ts";

import { toPrompt } from "../prompt/to-prompt.ts";
import type { Tool } from "../tool.ts";

/** A model, and all that a request to it is made of besides the conversation. */
export interface ModelRequest {
  readonly model: LanguageModelV4;
  /** `provider/model`, as messages and sentences name it. */
  readonly modelName: string;
  readonly system: string;
  /** In the order in which the model is to see them; the same order each time keeps the provider's cache. */
  readonly tools: readonly Tool[];
  /** Gives a prompt the marks that its provider keeps a cache by. */
  readonly markCache?: ((prompt: LanguageModelV4Prompt) => LanguageModelV4Prompt) | undefined;
  /** Masked wherever a provider repeats them in what it says about a failure. */
  readonly secrets?: readonly string[] | undefined;
  /** Adds to a failure what only the program knows, such as the variable that holds the key. */
  readonly explainFailure?: ((failure: ModelFailure) => ModelFailure) | undefined;
  readonly emit: (event: AgentEvent) => void;
  readonly signal: RequestSignal;
  readonly clock: Clock;
  readonly retry?: RetryPolicy | undefined;
  /** How long a model may say nothing at all. */
  readonly maxSilenceMs?: number | undefined;
}

/** What a request came to; what was said before it failed is in `answer`. */
export type Asked =
  | { readonly kind: "answered"; readonly answer: Answer }
  | { readonly kind: "interrupted"; readonly answer: Answer }
  | { readonly kind: "failed"; readonly answer: Answer; readonly failure: ModelFailure };

const MAX_SILENCE_MS = 300_000;

/** Asks until there is an answer, waiting longer each time, as long as waiting may help. */
export async function askModel(
  request: ModelRequest,
  messages: readonly Message[],
): Promise<Asked> {
  const policy = request.retry ?? DEFAULT_RETRY_POLICY;
  const explain = request.explainFailure ?? ((failure) => failure);
  for (let retry = 1; ; retry++) {
    // oxlint-disable-next-line no-await-in-loop -- each try waits for what became of the one before
    const asked = await askOnce(request, messages);
    if (asked.kind !== "failed") return asked;
    const delayMs = retryDelayMs(asked.failure, retry, policy);
    // What to do about it is for failures that stay.
    if (delayMs === undefined) return { ...asked, failure: explain(asked.failure) };
    request.emit({ type: "retry", attempt: retry, delayMs, failure: asked.failure });
    // oxlint-disable-next-line no-await-in-loop
    if (await wasInterrupted(request, delayMs)) return { kind: "interrupted", answer: NOTHING };
  }
}

/** A stream that just ends, or says that it ends for a fault, is no answer, whatever came before. */
const BROKEN_OFF: ReadonlySet<Answer["finishReason"]> = new Set([
  undefined,
  "error",
  "interrupted",
]);

const NOTHING: Answer = createAnswerCollector().answer();

async function askOnce(request: ModelRequest, messages: readonly Message[]): Promise<Asked> {
  const { emit, modelName } = request;
  const collector = createAnswerCollector();
  const failed = (failure: ModelFailure): Asked => ({
    kind: "failed",
    answer: collector.answer(),
    failure,
  });
  // Ours besides the person's: a model that is silent for too long is hung up on.
  const hangUp = new AbortController();
  const signal = AbortSignal.any([request.signal, hangUp.signal]);
  try {
    const end = await streamAnswer(request, messages, {
      signal,
      onPart: (part) => {
        const event = collector.add(part);
        if (event !== undefined) emit(event);
      },
    });
    if (end === "interrupted") return { kind: "interrupted", answer: collector.answer() };
    if (end === "silent") return failed(silence(modelName));
    const answer = collector.answer();
    return BROKEN_OFF.has(answer.finishReason)
      ? failed(cutStream(modelName))
      : { kind: "answered", answer };
  } catch (error) {
    if (request.signal.aborted) return { kind: "interrupted", answer: collector.answer() };
    return failed(classifyFailure(error, modelName, request.secrets));
  } finally {
    hangUp.abort();
  }
}

type StreamPart = Parameters<ReturnType<typeof createAnswerCollector>["add"]>[0];

async function streamAnswer(
  request: ModelRequest,
  messages: readonly Message[],
  {
    signal,
    onPart,
  }: { readonly signal: RequestSignal; readonly onPart: (part: StreamPart) => void },
): Promise<"whole" | "interrupted" | "silent"> {
  const { model, markCache, tools, clock } = request;
  const prompt = toPrompt({ ...request, messages });
  const limits = {
    signal: request.signal,
    clock,
    maxSilenceMs: request.maxSilenceMs ?? MAX_SILENCE_MS,
  };
  const started = model.doStream({
    prompt: markCache === undefined ? prompt : markCache(prompt),
    tools: tools.map(({ name, description, inputSchema }) => ({
      type: "function",
      name,
      description,
      inputSchema,
    })),
    abortSignal: signal,
  });
  const result = await nextOrEnd(started, limits);
  if (result === "interrupted" || result === "silent") return result;
  return await readStream({ stream: result.stream, onPart, ...limits });
}

async function wasInterrupted({ signal, clock }: ModelRequest, delayMs: number): Promise<boolean> {
  const never = new Promise<never>(() => undefined);
  return (await nextOrEnd(never, { signal, clock, maxSilenceMs: delayMs })) === "interrupted";
}

function silence(modelName: string): ModelFailure {
  const sentence = `${modelName} said nothing for too long.`;
  return { code: "timeout", sentence, isTransient: true };
}

function cutStream(modelName: string): ModelFailure {
  const sentence = `The answer of ${modelName} broke off before its end.`;
  return { code: "cut-stream", sentence, isTransient: true };
}

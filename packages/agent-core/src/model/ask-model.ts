import type { LanguageModelV4, LanguageModelV4Prompt } from "@ai-sdk/provider";
import type { Clock } from "../clock.ts";
import type { Message } from "../message.ts";
import { toPrompt } from "../prompt/to-prompt.ts";
import type { Tool } from "../tool.ts";
import { classifyFailure } from "./classify-failure.ts";
import { type Answer, createAnswerCollector } from "./collect-answer.ts";
import type { ModelEvent } from "./model-event.ts";
import type { ModelFailure } from "./model-failure.ts";
import { type EarlyEnd, readStream, type RequestSignal, waitFor } from "./read-stream.ts";
import { DEFAULT_RETRY_POLICY, retryDelayMs, type RetryPolicy } from "./retry.ts";

/** A model, and everything a request to it needs besides the conversation. */
export interface ModelRequest {
  readonly model: LanguageModelV4;
  /** `provider/model`, as it appears in messages. */
  readonly modelName: string;
  /** Whether the model accepts images; true when left out. */
  readonly acceptsImages?: boolean | undefined;
  readonly system: string;
  /** In the order in which the model sees them. Keep the order stable to benefit from the provider's cache. */
  readonly tools: readonly Tool[];
  /** The `data` of tool results by call id. It is attached to the prompt for models that run in this process. */
  readonly toolData?: ReadonlyMap<string, unknown> | undefined;
  /** Adds the cache markers that the provider expects to a prompt. */
  readonly markCache?: ((prompt: LanguageModelV4Prompt) => LanguageModelV4Prompt) | undefined;
  /** Masked wherever a provider repeats them in an error message. */
  readonly secrets?: readonly string[] | undefined;
  /** Adds what only the program knows to a failure, such as the variable that holds the key. */
  readonly explainFailure?: ((failure: ModelFailure) => ModelFailure) | undefined;
  readonly emit: (event: ModelEvent) => void;
  /** Called as soon as the model begins to write a call, so that the program can prepare for it. */
  readonly onToolCall?: (() => void) | undefined;
  readonly signal: RequestSignal;
  readonly clock: Clock;
  readonly retry?: RetryPolicy | undefined;
  /** The time that the model may send nothing at all. Five minutes by default. */
  readonly idleTimeoutMs?: number | undefined;
}

/** The outcome of a request. `answer` holds what arrived before a failure. */
export type ModelReply =
  | { readonly kind: "answered"; readonly answer: Answer }
  | { readonly kind: "interrupted"; readonly answer: Answer }
  | { readonly kind: "failed"; readonly answer: Answer; readonly failure: ModelFailure };

const IDLE_TIMEOUT_MS = 300_000;

/** Sends the conversation to the model. Retries with growing delays as long as that may help. */
export async function askModel(
  request: ModelRequest,
  messages: readonly Message[],
): Promise<ModelReply> {
  const policy = request.retry ?? DEFAULT_RETRY_POLICY;
  const explain = request.explainFailure ?? ((failure) => failure);
  for (let retry = 1; ; retry++) {
    const reply = await askOnce(request, messages);
    if (reply.kind !== "failed") return reply;
    const delayMs = retryDelayMs(reply.failure, retry, policy);
    // Only a final failure is explained; a transient one needs no action.
    if (delayMs === undefined) return { ...reply, failure: explain(reply.failure) };
    request.emit({ type: "retry", attempt: retry, delayMs, failure: reply.failure });
    if (await isInterruptedDuring(delayMs, request))
      return { kind: "interrupted", answer: NOTHING };
  }
}

/** Finish reasons of an incomplete answer. A stream that simply ends has none. */
const INCOMPLETE: ReadonlySet<Answer["finishReason"]> = new Set([
  undefined,
  "error",
  "interrupted",
]);

const NOTHING: Answer = createAnswerCollector().answer();

async function askOnce(request: ModelRequest, messages: readonly Message[]): Promise<ModelReply> {
  const { emit, modelName, onToolCall } = request;
  const collector = createAnswerCollector();
  const failed = (failure: ModelFailure): ModelReply => ({
    kind: "failed",
    answer: collector.answer(),
    failure,
  });
  // Besides the user's signal, so that a request that hit its idle timeout is aborted too.
  const abort = new AbortController();
  const signal = AbortSignal.any([request.signal, abort.signal]);
  try {
    const end = await streamAnswer(request, messages, {
      signal,
      onPart: (part) => {
        const event = collector.add(part);
        if (event !== undefined) emit(event);
        if (part.type === "tool-input-start" || part.type === "tool-call") onToolCall?.();
      },
    });
    if (end === "interrupted") return { kind: "interrupted", answer: collector.answer() };
    if (end === "idle-timeout") return failed(idleTimeout(modelName));
    const answer = collector.answer();
    return INCOMPLETE.has(answer.finishReason)
      ? failed(truncatedStream(modelName))
      : { kind: "answered", answer };
  } catch (error) {
    if (request.signal.aborted) return { kind: "interrupted", answer: collector.answer() };
    return failed(classifyFailure(error, modelName, request.secrets));
  } finally {
    abort.abort();
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
): Promise<"complete" | EarlyEnd> {
  const { model, markCache, tools, clock } = request;
  const prompt = toPrompt({ ...request, messages });
  const limits = {
    signal: request.signal,
    clock,
    idleTimeoutMs: request.idleTimeoutMs ?? IDLE_TIMEOUT_MS,
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
  const result = await waitFor(started, limits);
  if (result === "interrupted" || result === "idle-timeout") return result;
  return await readStream({ stream: result.stream, onPart, ...limits });
}

async function isInterruptedDuring(
  delayMs: number,
  { signal, clock }: ModelRequest,
): Promise<boolean> {
  const never = new Promise<never>(() => undefined);
  return (await waitFor(never, { signal, clock, idleTimeoutMs: delayMs })) === "interrupted";
}

function idleTimeout(modelName: string): ModelFailure {
  const message = `${modelName} sent nothing for too long.`;
  return { code: "timeout", message, isTransient: true };
}

function truncatedStream(modelName: string): ModelFailure {
  const message = `The response from ${modelName} ended before it was complete.`;
  return { code: "cut-stream", message, isTransient: true };
}

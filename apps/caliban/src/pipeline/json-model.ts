import type { LanguageModelV4 } from "@ai-sdk/provider";
import { type Answer, askModel, type ModelFailure, type ModelReply } from "@caliban/agent-core";
import {
  type Complete,
  type Completion,
  type CompletionRequest,
  type CompletionUsage,
  PipelineError,
  type PipelineErrorCode,
} from "@caliban/autonomous-memory";
import { bytesToTokens, type Environment, estimateTokens, shellCommand } from "@caliban/common";
import { type ResolvedModel, withCallDefaults } from "@caliban/providers";
import { openModel } from "@caliban/providers/node";
import { withAdvice } from "../conversation/open/failure-advice.ts";
import { systemClock } from "../conversation/turn/system-clock.ts";

export interface JsonModelInput {
  readonly env: Environment;
  /** Masked wherever a provider repeats them. */
  readonly secrets: readonly string[];
}

/** Opens a model that answers JSON. Once its provider has rejected the schema, it is asked in prose only. */
export async function openJsonModel(
  resolved: ResolvedModel,
  { env, secrets }: JsonModelInput,
): Promise<Complete> {
  const model = await openModel(resolved, { env });
  let withSchema = true;
  return async (request) => {
    const input = { model, resolved, secrets, withSchema };
    try {
      return await askForJson(input, request);
    } catch (error) {
      if (!input.withSchema || !isFormatRejected(error)) throw error;
      withSchema = false;
      return await askForJson({ ...input, withSchema: false }, request);
    }
  };
}

/** One quick retry; after a longer outage, the next run tries again. */
const RETRY = { maxRetries: 1, initialDelayMs: 500, maxDelayMs: 2_000 };

/** Stops a model that writes endlessly before it fills the memory of the process. */
const MAX_CHARACTERS = 1024 * 1024;

interface AskInput {
  readonly model: LanguageModelV4;
  readonly resolved: ResolvedModel;
  readonly secrets: readonly string[];
  readonly withSchema: boolean;
}

/** @throws PipelineError; the reason of the signal when it was aborted */
async function askForJson(input: AskInput, request: CompletionRequest): Promise<Completion> {
  const { resolved, secrets } = input;
  const { system, signal } = request;
  const tooLong = new AbortController();
  let characters = 0;
  const reply = await askModel(
    {
      model: withJsonFormat(input, request),
      modelName: resolved.name,
      system,
      tools: [],
      secrets,
      emit: (event) => {
        if (event.type !== "text-delta" && event.type !== "reasoning-delta") return;
        characters += event.text.length;
        if (characters > MAX_CHARACTERS) tooLong.abort();
      },
      signal: AbortSignal.any([signal, tooLong.signal]),
      clock: systemClock(Date.now),
      retry: RETRY,
      // The other advice is about conversations.
      explainFailure: (failure) =>
        CODES[failure.code] === "SETUP"
          ? withAdvice({ failure, model: resolved, command: shellCommand })
          : failure,
    },
    [{ role: "user", text: request.input }],
  );
  // The start of an answer that failed later still costs.
  const usage = characters === 0 ? undefined : estimateUsage(request, characters);
  if (tooLong.signal.aborted) {
    const message = `the answer of ${resolved.name} was aborted because it is too long.`;
    throw new PipelineError("PERMANENT", message, { usage });
  }
  return toCompletion(reply, signal, usage);
}

function withJsonFormat(
  { model, resolved, withSchema }: AskInput,
  { schema, task }: CompletionRequest,
): LanguageModelV4 {
  const name = task.kind === "extract" ? "extraction" : "memory";
  return withCallDefaults(model, (options) => ({
    ...options,
    maxOutputTokens: maxOutputTokens(resolved.contextWindow),
    ...(withSchema && { responseFormat: { type: "json", schema, name } as const }),
  }));
}

const MAX_OUTPUT_TOKENS = 32_000;
const MIN_OUTPUT_TOKENS = 8_000;

/** Enough for a whole memory, but an eighth of the window rather than more than older models allow. */
function maxOutputTokens(contextWindow: number): number {
  const min = Math.min(MIN_OUTPUT_TOKENS, contextWindow / 4);
  return Math.floor(Math.min(MAX_OUTPUT_TOKENS, Math.max(contextWindow / 8, min)));
}

function estimateUsage(
  { system, input }: CompletionRequest,
  outputCharacters: number,
): CompletionUsage {
  return {
    inputTokens: estimateTokens(system) + estimateTokens(input),
    outputTokens: bytesToTokens(outputCharacters),
  };
}

function toCompletion(
  reply: ModelReply,
  signal: AbortSignal,
  spent: CompletionUsage | undefined,
): Completion {
  if (reply.kind === "interrupted") {
    signal.throwIfAborted();
    throw new PipelineError("TRANSIENT", "the request was interrupted");
  }
  if (reply.kind === "failed") throw toPipelineError(reply.failure, spent);
  const { parts, usage, finishReason } = reply.answer;
  const text = parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("");
  const { inputTokens, outputTokens } = usage;
  return {
    text,
    // Some servers report no usage, which is then estimated.
    ...(inputTokens + outputTokens > 0 && { usage: { inputTokens, outputTokens } }),
    finishReason: toFinishReason(finishReason),
  };
}

function toFinishReason(reason: Answer["finishReason"]): Completion["finishReason"] {
  if (reason === "stop" || reason === "length") return reason;
  return reason === "content-filter" ? "refusal" : "other";
}

const CODES: Readonly<Record<ModelFailure["code"], PipelineErrorCode>> = {
  overflow: "OVERFLOW",
  "rate-limit": "TRANSIENT",
  overloaded: "TRANSIENT",
  server: "TRANSIENT",
  network: "TRANSIENT",
  timeout: "TRANSIENT",
  "cut-stream": "TRANSIENT",
  auth: "SETUP",
  "unknown-model": "SETUP",
  "bad-request": "PERMANENT",
  garbage: "PERMANENT",
};

function toPipelineError(failure: ModelFailure, usage: CompletionUsage | undefined): PipelineError {
  const { code, message, retryAfterMs } = failure;
  return new PipelineError(CODES[code], message, { cause: failure, retryAfterMs, usage });
}

// Providers report a rejected format only in the text of a "bad request".
const ABOUT_FORMAT =
  /response_?format|json_?(?:schema|object|mode)|schema|structured|output_config|\bformat\b|\bjson\b/i;

function isFormatRejected(error: unknown): boolean {
  if (!(error instanceof PipelineError) || error.code !== "PERMANENT") return false;
  return isBadRequest(error.cause) && ABOUT_FORMAT.test(error.message);
}

function isBadRequest(failure: unknown): boolean {
  return (
    typeof failure === "object" &&
    failure !== null &&
    "code" in failure &&
    failure.code === "bad-request"
  );
}

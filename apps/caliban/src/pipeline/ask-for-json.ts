import { type Answer, type ModelReply, askModel, type ModelFailure } from "@caliban/agent-core";
import {
  type Completion,
  type CompletionRequest,
  type CompletionUsage,
  PipelineError,
  type PipelineErrorCode,
} from "@caliban/autonomous-memory";
import { estimateTokens, bytesToTokens } from "@caliban/common";
import type { LanguageModelV4 } from "@ai-sdk/provider";
import { withAdvice } from "../agent/failure-advice.ts";
import { systemClock } from "../agent/system-clock.ts";
import { type ResolvedModel, withCallDefaults } from "@caliban/providers";

/** A model, and what is known about it when it is asked. */
export interface JsonAnswerer {
  readonly model: LanguageModelV4;
  readonly chosen: ResolvedModel;
  /** Masked wherever a provider repeats them. */
  readonly secrets: readonly string[];
  /** Whether it is held to a schema; a provider that does not know how is asked in words alone. */
  readonly hasSchema: boolean;
}

/** Once more, soon: what takes longer is tried again at a later start. */
const RETRY = { maxRetries: 1, firstDelayMs: 500, longestDelayMs: 2_000 };

/** An answer of a model that has lost its way would else fill the memory. */
const MOST_CHARACTERS = 1024 * 1024;

/**
 * Asks once for JSON.
 * @throws PipelineError by what went wrong; the signal's own reason when it was ended
 */
export async function askForJson(
  answerer: JsonAnswerer,
  { system, input, schema, signal, task }: CompletionRequest,
): Promise<Completion> {
  const { chosen, secrets } = answerer;
  const tooLong = new AbortController();
  let characters = 0;
  // What an answer that ended badly has cost: its beginning was said all the same.
  const usageOf = (said: number): CompletionUsage | undefined =>
    said === 0
      ? undefined
      : {
          inputTokens: estimateTokens(system) + estimateTokens(input),
          outputTokens: bytesToTokens(said),
        };
  const name = task.kind === "extract" ? "extraction" : "memory";
  const model = withCallDefaults(answerer.model, (options) => ({
    ...options,
    maxOutputTokens: mostOutputTokens(chosen.contextWindow),
    ...(answerer.hasSchema && { responseFormat: { type: "json", schema, name } as const }),
  }));
  const asked = await askModel(
    {
      model,
      modelName: chosen.name,
      system,
      tools: [],
      secrets,
      emit: (event) => {
        if (event.type !== "text-delta" && event.type !== "reasoning-delta") return;
        characters += event.text.length;
        if (characters > MOST_CHARACTERS) tooLong.abort();
      },
      signal: AbortSignal.any([signal, tooLong.signal]),
      clock: systemClock(Date.now),
      retry: RETRY,
      // The rest of what there is to say is about conversations.
      explainFailure: (failure) =>
        CODES[failure.code] === "SETUP" ? withAdvice(failure, chosen) : failure,
    },
    [{ role: "user", text: input }],
  );
  if (tooLong.signal.aborted) {
    const sentence = `the answer of ${chosen.name} is too long, so it was broken off.`;
    throw new PipelineError("PERMANENT", sentence, { usage: usageOf(characters) });
  }
  return completionOf(asked, signal, usageOf(characters));
}

function completionOf(
  asked: ModelReply,
  signal: AbortSignal,
  spent: CompletionUsage | undefined,
): Completion {
  if (asked.kind === "interrupted") {
    signal.throwIfAborted();
    throw new PipelineError("TRANSIENT", "the request was interrupted");
  }
  if (asked.kind === "failed") throw pipelineError(asked.failure, spent);
  const { parts, usage, finishReason } = asked.answer;
  const text = parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("");
  const { inputTokens, outputTokens } = usage;
  return {
    text,
    // Some servers count nothing: then it is estimated.
    ...(inputTokens + outputTokens > 0 && { usage: { inputTokens, outputTokens } }),
    finishReason: finishOf(finishReason),
  };
}

function finishOf(reason: Answer["finishReason"]): Completion["finishReason"] {
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

function pipelineError(failure: ModelFailure, usage: CompletionUsage | undefined): PipelineError {
  const { code, message: sentence, retryAfterMs } = failure;
  return new PipelineError(CODES[code], sentence, { cause: failure, retryAfterMs, usage });
}

const MOST_OUTPUT_TOKENS = 32_000;
const LEAST_OUTPUT_TOKENS = 8_000;

/** Room for a memory; rather an eighth of the window than more than older models may say at once. */
function mostOutputTokens(contextWindow: number): number {
  const least = Math.min(LEAST_OUTPUT_TOKENS, contextWindow / 4);
  return Math.floor(Math.min(MOST_OUTPUT_TOKENS, Math.max(contextWindow / 8, least)));
}

const ABOUT_FORMAT =
  /response_?format|json_?(?:schema|object|mode)|schema|structured|output_config|\bformat\b|\bjson\b/i;

/** Whether a request was refused for the form of the answer that it asks for. */
export function isAboutFormat(error: unknown): boolean {
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

import type { LanguageModelV4 } from "@ai-sdk/provider";
import { askModel, type ModelReply, SYSTEM_CLOCK } from "@caliban/agent-core";
import { bytesToTokens, estimateTokens } from "@caliban/common";
import { withCallDefaults } from "../../call-defaults.ts";
import type { ResolvedModel } from "../../resolve-model.ts";
import { openModel } from "../open-model.ts";
import type { JsonModelInput, JsonReply, JsonRequest, JsonUsage } from "./json-model.ts";

/** A model that is ready for requests. */
export interface OpenedModel {
  readonly model: LanguageModelV4;
  readonly resolved: ResolvedModel;
  readonly secrets: readonly string[];
}

export async function openForJson(
  resolved: ResolvedModel,
  { env, secrets }: JsonModelInput,
): Promise<OpenedModel> {
  return { model: await openModel(resolved, { env }), resolved, secrets };
}

/** One quick retry; after a longer outage, the caller tries again later. */
const RETRY = { maxRetries: 1, initialDelayMs: 500, maxDelayMs: 2_000 };

/** Stops a model that writes endlessly before it fills the memory of the process. */
const MAX_CHARACTERS = 1024 * 1024;

/** Sends one request, with the schema or in prose only. */
export async function askForJson(
  { model, resolved, secrets }: OpenedModel,
  request: JsonRequest,
  format: "schema" | "prose",
): Promise<JsonReply> {
  const { system, input, schema, schemaName: name, signal } = request;
  const tooLong = new AbortController();
  let characters = 0;
  const reply = await askModel(
    {
      model: withCallDefaults(model, (options) => ({
        ...options,
        maxOutputTokens: maxOutputTokens(resolved.contextWindow),
        ...(format === "schema" && { responseFormat: { type: "json", schema, name } as const }),
      })),
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
      clock: SYSTEM_CLOCK,
      retry: RETRY,
    },
    [{ role: "user", text: input }],
  );
  // The start of an answer that failed later still costs.
  const spent = characters === 0 ? undefined : estimateUsage(request, characters);
  return tooLong.signal.aborted ? { kind: "too-long", usage: spent } : toJsonReply(reply, spent);
}

const MAX_OUTPUT_TOKENS = 32_000;
const MIN_OUTPUT_TOKENS = 8_000;

/** Enough for a long answer, but an eighth of the window rather than more than older models allow. */
function maxOutputTokens(contextWindow: number): number {
  const min = Math.min(MIN_OUTPUT_TOKENS, contextWindow / 4);
  return Math.floor(Math.min(MAX_OUTPUT_TOKENS, Math.max(contextWindow / 8, min)));
}

function estimateUsage({ system, input }: JsonRequest, outputCharacters: number): JsonUsage {
  return {
    inputTokens: estimateTokens(system) + estimateTokens(input),
    outputTokens: bytesToTokens(outputCharacters),
  };
}

function toJsonReply(reply: ModelReply, spent: JsonUsage | undefined): JsonReply {
  if (reply.kind === "interrupted") return { kind: "interrupted" };
  if (reply.kind === "failed") return { kind: "failed", failure: reply.failure, usage: spent };
  const { parts, finishReason, usage } = reply.answer;
  const { inputTokens, outputTokens } = usage;
  return {
    kind: "answered",
    text: parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join(""),
    finishReason,
    // Some servers report no usage.
    ...(inputTokens + outputTokens > 0 && { usage: { inputTokens, outputTokens } }),
  };
}

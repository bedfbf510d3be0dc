import type { ModelFailure } from "@caliban/agent-core";
import {
  combineModels,
  type Complete,
  type Completion,
  type CompletionModel,
  createRuleModel,
  type NamedModel,
  type OnNotice,
  PipelineError,
  type PipelineErrorCode,
} from "@caliban/autonomous-memory";
import { shellCommand } from "@caliban/common";
import type { ModelRoles, ResolvedModel } from "@caliban/providers";
import { createJsonModel, type JsonModelInput, type JsonReply } from "@caliban/providers/node";
import { withAdvice } from "../conversation/open/failure-advice.ts";

export interface PipelineModelInput extends JsonModelInput {
  readonly models: ModelRoles;
  readonly onNotice: OnNotice;
}

/** The user's models as the pipeline asks them; rules answer instead of the offline model. */
export function createPipelineModel(input: PipelineModelInput): CompletionModel {
  const { models, onNotice } = input;
  const main = namedModel(models.default, input);
  const isSame = models.smol.name === models.default.name;
  const smol = isSame ? main : namedModel(models.smol, input);
  return combineModels({ default: main, smol, onNotice });
}

/** Whether rules answer for a model, at no cost. */
export function isLocalModel({ api }: Pick<ResolvedModel, "api">): boolean {
  return api === "offline";
}

function namedModel(resolved: ResolvedModel, input: JsonModelInput): NamedModel {
  const { name, contextWindow } = resolved;
  if (!isLocalModel(resolved))
    return { name, contextWindow, complete: completeWith(resolved, input), isLocal: false };
  const { complete, contextWindow: windowOf } = createRuleModel();
  return { name, contextWindow: windowOf("default"), complete, isLocal: true };
}

function completeWith(resolved: ResolvedModel, input: JsonModelInput): Complete {
  const ask = createJsonModel(resolved, input);
  return async ({ task, ...request }) => {
    const schemaName = task.kind === "extract" ? "extraction" : "memory";
    const reply = await ask({ ...request, schemaName });
    if (reply.kind === "interrupted") request.signal.throwIfAborted();
    return toCompletion(reply, resolved);
  };
}

/** @throws PipelineError for anything but an answer */
function toCompletion(reply: JsonReply, resolved: ResolvedModel): Completion {
  switch (reply.kind) {
    case "answered": {
      const { text, usage, finishReason = "" } = reply;
      return { text, usage, finishReason: FINISH_REASONS[finishReason] ?? "other" };
    }
    case "interrupted":
      throw new PipelineError("TRANSIENT", "the request was interrupted");
    case "too-long": {
      const message = `the answer of ${resolved.name} was aborted because it is too long.`;
      throw new PipelineError("PERMANENT", message, reply);
    }
    case "failed": {
      const code = CODES[reply.failure.code];
      // The other advice is about conversations.
      const advised = { failure: reply.failure, model: resolved, command: shellCommand };
      const failure = code === "SETUP" ? withAdvice(advised) : reply.failure;
      const { message, retryAfterMs } = failure;
      throw new PipelineError(code, message, { cause: failure, retryAfterMs, usage: reply.usage });
    }
  }
}

const FINISH_REASONS: Readonly<Record<string, Completion["finishReason"]>> = {
  stop: "stop",
  length: "length",
  "content-filter": "refusal",
};

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

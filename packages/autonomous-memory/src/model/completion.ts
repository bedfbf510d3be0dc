import type { ConsolidationTask } from "../consolidation/consolidation-task.ts";
import type { ExtractionTask } from "../extraction/extraction.ts";
import type { PromptRequest } from "../prompts/prompt-request.ts";
import type { StopSignal } from "@caliban/common";
import type { CompletionUsage } from "../run/usage.ts";

/** Which of the user's models to ask: the one for conversations, or the one for small tasks. */
export type ModelRole = "default" | "smol";

/** One request to a model. */
export interface CompletionRequest extends PromptRequest {
  readonly role: ModelRole;
  readonly signal: StopSignal;
  /** The same request as data, for a model function that is not a language model. */
  readonly task: ExtractionTask | ConsolidationTask;
}

export interface Completion {
  readonly text: string;
  /** Estimated when it is missing. */
  readonly usage?: CompletionUsage | undefined;
  /** Why it ended: `length` when the answer was truncated, `refusal` when the model declined. */
  readonly finishReason?: "stop" | "length" | "refusal" | "other" | undefined;
}

/** A model function. It throws on failure: see `CompletionModel`. */
export type Complete = (request: CompletionRequest) => Promise<Completion>;

/**
 * The models that the pipeline asks. A failure is thrown: the code of a `PipelineError` says what kind it is; other errors
 * are classified by HTTP status, system code and message.
 */
export interface CompletionModel {
  readonly complete: Complete;
  /** The context window in tokens. */
  readonly contextWindow: (role: ModelRole) => number;
  readonly extractor: Extractor;
  /** Whether a role is answered on this machine: that costs nothing, whatever the budget. */
  readonly isLocal?: ((role: ModelRole) => boolean) | undefined;
}

/** Identifies who extracts. */
export interface Extractor {
  /** Stored with every extraction: the same content is never given to the same extractor twice. */
  readonly id: string;
  /** Ids of inferior extractors, whose sessions are read again. */
  readonly replaces: readonly string[];
}

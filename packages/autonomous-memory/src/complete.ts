import type { StopSignal } from "./stop-signal.ts";
import type { ConsolidationTask } from "./consolidation/consolidation-task.ts";
import type { ExtractionTask } from "./extraction/extraction-task.ts";

/** Which of the person's models is meant: the one that answers, or the one for small work. */
export type ModelRole = "default" | "smol";

/** One question to a model. */
export interface CompletionRequest {
  readonly role: ModelRole;
  readonly system: string;
  readonly input: string;
  /** JSON Schema of the answer, for providers that can be held to one. */
  readonly schema: JsonSchema;
  readonly signal: StopSignal;
  /** The same question as data, for an answerer that is no language model. */
  readonly task: ExtractionTask | ConsolidationTask;
}

/** Plain JSON Schema. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** What came of it. */
export interface Completion {
  readonly text: string;
  /** Estimated where it is left out. */
  readonly usage?: CompletionUsage | undefined;
  /** Why it ends: `length` when the answer was cut off, `refusal` when the model would not. */
  readonly finishReason?: "stop" | "length" | "refusal" | "other" | undefined;
}

export interface CompletionUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/**
 * Whoever answers. A failure is thrown; `PipelineError` with a code of its own says what kind it is, and from other errors
 * that is guessed by their HTTP status and their words.
 */
export interface CompletionModel {
  readonly complete: (request: CompletionRequest) => Promise<Completion>;
  /** Tokens that a model can see. */
  readonly contextWindow: (role: ModelRole) => number;
  readonly extractor: Extractor;
  /** Whether a role is answered here without a request: that costs nothing, whatever the budget. */
  readonly isLocal?: ((role: ModelRole) => boolean) | undefined;
}

/** Who extracts. */
export interface Extractor {
  /** Part of what was extracted: the same content is not given to the same extractor twice. */
  readonly id: string;
  /** Ids of lesser extractors, whose sessions are read again. */
  readonly replaces: readonly string[];
}

import type { PipelineNotice } from "./notice.ts";

/** Progress of a run. */
export type PipelineEvent =
  /** The sessions to read were counted. */
  | { readonly type: "planned"; readonly total: number }
  | {
      readonly type: "session-end";
      readonly threadId: string;
      readonly outcome: "read" | "nothing-durable" | "unchanged" | "failed" | "postponed" | "lost";
      readonly done: number;
      readonly total: number;
      /** Why it failed or was postponed. */
      readonly message?: string | undefined;
    }
  | { readonly type: "spent"; readonly requests: number; readonly tokens: number }
  | { readonly type: "consolidation-start"; readonly extractions: number }
  | { readonly type: "notice"; readonly notice: PipelineNotice };

export type RunOutcome = "done" | "nothing-new" | "skipped" | "stopped" | "failed";

/** Every kind of reason for which a run is skipped, stops or fails. */
export const RUN_REASON_CODES = [
  /** The daily token budget is used up. */
  "BUDGET",
  /** No model is available to read sessions. */
  "NO_MODEL",
  /** The user or the end of the conversation stopped it. */
  "INTERRUPTED",
  /** A key or the name of a model has to be fixed first. */
  "SETUP",
  /** The model failed several times in a row. */
  "UNAVAILABLE",
  /** The memory could not be updated. */
  "NOT_UPDATED",
  /** No session could be read. */
  "SESSIONS_FAILED",
  /** Something unexpected was thrown. */
  "CRASHED",
] as const;

export type RunReasonCode = (typeof RUN_REASON_CODES)[number];

/** How a run ended. */
export interface PipelineReport {
  readonly outcome: RunOutcome;
  /** Why it was skipped, stopped or failed. */
  readonly reason?: string | undefined;
  readonly reasonCode?: RunReasonCode | undefined;
  readonly sessionsRead: number;
  readonly sessionsFailed: number;
  /** How many statements were left out because the user forgot them, if any. */
  readonly forgotten?: number | undefined;
  /** How many statements were not learned and wait for the user, because they may come from a text that a session read. */
  readonly held?: number | undefined;
  /** The number of the new generation, if one was written. */
  readonly generation?: number | undefined;
  readonly requests: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly elapsedMs: number;
  readonly notices: readonly PipelineNotice[];
}

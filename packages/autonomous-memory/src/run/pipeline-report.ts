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

/** How a run ended. */
export interface PipelineReport {
  readonly outcome: "done" | "nothing-new" | "skipped" | "stopped" | "failed";
  /** Why it was skipped, stopped or failed. */
  readonly reason?: string | undefined;
  readonly sessionsRead: number;
  readonly sessionsFailed: number;
  /** The number of the new generation, if one was written. */
  readonly generation?: number | undefined;
  readonly requests: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly elapsedMs: number;
  readonly notices: readonly PipelineNotice[];
}

/** The report of a run that did nothing. */
export function emptyReport(
  outcome: PipelineReport["outcome"],
  reason: string,
): PipelineReport & { readonly reason: string } {
  return {
    outcome,
    reason,
    sessionsRead: 0,
    sessionsFailed: 0,
    requests: 0,
    inputTokens: 0,
    outputTokens: 0,
    elapsedMs: 0,
    notices: [],
  };
}

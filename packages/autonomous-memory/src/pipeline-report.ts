/** What happens while a pipeline runs, for whoever shows it. */
export type PipelineEvent =
  /** Sessions were looked for. */
  | { readonly type: "planned"; readonly total: number }
  | {
      readonly type: "session-end";
      readonly threadId: string;
      readonly outcome: "read" | "nothing-durable" | "unchanged" | "failed" | "postponed" | "lost";
      readonly done: number;
      readonly total: number;
      readonly sentence?: string | undefined;
    }
  | { readonly type: "spent"; readonly requests: number; readonly tokens: number }
  | { readonly type: "consolidation-start"; readonly extractions: number }
  | { readonly type: "notice"; readonly sentence: string };

/** How a run ended. */
export interface PipelineReport {
  readonly outcome: "done" | "nothing-new" | "skipped" | "stopped" | "failed";
  /** Why it was skipped, stopped or failed, as one sentence. */
  readonly reason?: string | undefined;
  readonly sessionsRead: number;
  readonly sessionsFailed: number;
  /** Number of the new generation, where one was made. */
  readonly generation?: number | undefined;
  readonly requests: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly elapsedMs: number;
  /** What a person should hear. */
  readonly notices: readonly string[];
}

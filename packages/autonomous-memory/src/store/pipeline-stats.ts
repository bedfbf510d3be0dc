import type { DueCounts, ErrorClass, RunOutcome, Spending } from "./pipeline-store.ts";

/** What is known about the pipeline of a project, for people and programs. */
export interface PipelineStats {
  /** Newest first; equal ones in a row that did nothing are one. */
  readonly runs: readonly RunStats[];
  readonly sessions: DueCounts;
  /** What sessions gave so far. */
  readonly extractions: number;
  /** Those of them that no consolidation has seen. */
  readonly unseenExtractions: number;
  readonly consolidation: ConsolidationStats;
  /** Jobs that failed or wait, newest first. */
  readonly failures: readonly JobFailure[];
  /** Of this project. */
  readonly spentToday: Spending;
  readonly spentInAll: Spending;
  /** Tokens of today, over all projects: what the daily budget is held against. */
  readonly spentTodayByAll: number;
}

export interface RunStats {
  readonly trigger: string;
  readonly startedAtMs: number;
  /** `undefined` while it runs, and for good when its process was killed. */
  readonly finishedAtMs: number | undefined;
  readonly outcome: RunOutcome | undefined;
  readonly reason: string | undefined;
  readonly sessionsRead: number;
  readonly sessionsFailed: number;
  readonly hasConsolidated: boolean;
  readonly spent: Spending;
}

export interface ConsolidationStats {
  readonly status: "never" | "clean" | "dirty" | "running" | "waiting" | "given-up";
  readonly lastDoneAtMs: number | undefined;
  readonly retryAtMs: number | undefined;
  readonly sentence: string | undefined;
}

export interface JobFailure {
  /** `undefined` for the consolidation. */
  readonly threadId: string | undefined;
  readonly errorClass: ErrorClass;
  readonly sentence: string;
  readonly attempts: number;
  /** `undefined` when it is given up. */
  readonly retryAtMs: number | undefined;
}

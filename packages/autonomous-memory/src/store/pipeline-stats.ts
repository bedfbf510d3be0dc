import type { ErrorClass } from "../run/classify-error.ts";
import type { PipelineReport, RunOutcome, RunReasonCode } from "../run/pipeline-report.ts";
import type { DueCounts, Spending } from "./pipeline-store.ts";

/** The state of a project's pipeline. */
export interface PipelineStats {
  /** Newest first; consecutive identical runs that did nothing are merged. */
  readonly runs: readonly RunStats[];
  readonly sessions: DueCounts;
  readonly extractions: number;
  /** Extractions that no consolidation has seen. */
  readonly unseenExtractions: number;
  readonly consolidation: ConsolidationStats;
  /** Jobs that failed or wait, newest first. */
  readonly failures: readonly JobFailure[];
  /** By this project. */
  readonly spentToday: Spending;
  readonly spentInAll: Spending;
  /** Tokens spent today by all projects, which count against the daily budget. */
  readonly spentTodayByAll: number;
}

export interface RunStats {
  readonly trigger: string;
  readonly startedAtMs: number;
  /** `undefined` while it runs, and forever if its process was killed. */
  readonly finishedAtMs: number | undefined;
  readonly outcome: RunOutcome | undefined;
  readonly reason: string | undefined;
  /** The kind of the reason; `undefined` for runs of versions that recorded none. */
  readonly reasonCode: RunReasonCode | undefined;
  readonly sessionsRead: number;
  readonly sessionsFailed: number;
  readonly hasConsolidated: boolean;
  readonly spent: Spending;
}

export interface ConsolidationStats {
  readonly status: "never" | "clean" | "dirty" | "running" | "waiting" | "given-up";
  readonly lastDoneAtMs: number | undefined;
  readonly retryAtMs: number | undefined;
  readonly message: string | undefined;
}

export interface JobFailure {
  /** `undefined` for the consolidation. */
  readonly threadId: string | undefined;
  readonly errorClass: ErrorClass;
  readonly message: string;
  readonly attempts: number;
  /** `undefined` when it will not be retried. */
  readonly retryAtMs: number | undefined;
}

/** How a run of a project ended. */
export interface ProjectRun {
  readonly report: PipelineReport;
  /** The sessions by state after the run. */
  readonly counts?: DueCounts | undefined;
  /** Why the previous run failed, if it did. */
  readonly lastFailure?: string | undefined;
}

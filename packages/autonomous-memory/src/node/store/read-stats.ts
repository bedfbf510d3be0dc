import type {
  ConsolidationStats,
  JobFailure,
  PipelineStats,
  RunStats,
} from "../../store/pipeline-stats.ts";
import type { ErrorClass } from "../../run/classify-error.ts";
import { RUN_REASON_CODES, type RunOutcome } from "../../run/pipeline-report.ts";
import type { DueQuery } from "../../store/pipeline-store.ts";
import { consolidationJob, isDirty, isGivenUp, isRunning } from "./consolidation-queue.ts";
import { countSessions } from "./due-sessions.ts";
import { CRASH_MESSAGES, HAS_CRASHED } from "./job-claims.ts";
import {
  numberOf,
  optionalNumberOf,
  optionalTextOf,
  type Row,
  textOf,
  enumOf,
} from "./database/row.ts";
import { spendingOf, spentByAll, spentByProject } from "./run-ledger.ts";
import type { Transaction } from "./database/state-database.ts";

const ERROR_CLASSES: readonly ErrorClass[] = [
  "overflow",
  "transient",
  "setup",
  "permanent",
  "crash",
];
const OUTCOMES: readonly RunOutcome[] = ["done", "nothing-new", "skipped", "stopped", "failed"];

/** The state of a project at one moment. */
export function readStats(transaction: Transaction, query: DueQuery): PipelineStats {
  const { project, nowMs } = query;
  const outputs = transaction.get(
    `SELECT count(*) AS extractions, ifnull(sum(is_new), 0) AS unseen FROM stage1_outputs
     WHERE project = :project AND is_removed = 0`,
    { project },
  );
  return {
    runs: transaction
      .all("SELECT * FROM runs WHERE project = :project ORDER BY id DESC", { project })
      .map(runStats),
    sessions: countSessions(transaction, query),
    extractions: numberOf(outputs ?? {}, "extractions"),
    unseenExtractions: numberOf(outputs ?? {}, "unseen"),
    consolidation: consolidationStats(consolidationJob(transaction, project), nowMs),
    failures: readFailures(transaction, project, nowMs),
    spentToday: spentByProject(transaction, project, nowMs),
    spentInAll: spentByProject(transaction, project, undefined),
    spentTodayByAll: spentByAll(transaction, nowMs),
  };
}

function runStats(row: Row): RunStats {
  return {
    trigger: textOf(row, "trigger"),
    startedAtMs: numberOf(row, "started_at_ms"),
    finishedAtMs: optionalNumberOf(row, "finished_at_ms"),
    outcome: row["outcome"] === null ? undefined : enumOf(row, "outcome", OUTCOMES),
    reason: optionalTextOf(row, "reason"),
    // A newer version may have recorded a code that this one does not know.
    reasonCode: RUN_REASON_CODES.find((code) => code === row["reason_code"]),
    sessionsRead: numberOf(row, "sessions_read"),
    sessionsFailed: numberOf(row, "sessions_failed"),
    hasConsolidated: numberOf(row, "has_consolidated") === 1,
    spent: spendingOf(row),
  };
}

function consolidationStats(job: Row | undefined, nowMs: number): ConsolidationStats {
  const nothing = { lastDoneAtMs: undefined, retryAtMs: undefined, message: undefined };
  if (job === undefined) return { ...nothing, status: "never" };
  const lastDoneAtMs = optionalNumberOf(job, "done_at_ms");
  const base = { ...nothing, lastDoneAtMs };
  if (!isDirty(job)) return { ...base, status: lastDoneAtMs === undefined ? "never" : "clean" };
  if (isRunning(job, nowMs)) return { ...base, status: "running" };
  if (isGivenUp(job)) return { ...base, status: "given-up", message: messageOf(job) };
  const retryAtMs = optionalNumberOf(job, "retry_at_ms");
  if (retryAtMs === undefined || retryAtMs <= nowMs) return { ...base, status: "dirty" };
  return { status: "waiting", lastDoneAtMs, retryAtMs, message: messageOf(job) };
}

/** A job that crashed its process is given up at the next claim; it is shown as crashed before that. */
function readFailures({ all }: Transaction, project: string, nowMs: number): readonly JobFailure[] {
  return all(
    `SELECT * FROM jobs
     WHERE project = :project AND (status IN ('waiting', 'failed') OR ${HAS_CRASHED})
     ORDER BY updated_at_ms DESC, key`,
    { project, nowMs },
  ).map((row) => ({
    threadId: textOf(row, "kind") === "consolidate" ? undefined : textOf(row, "key"),
    errorClass: isCrash(row) ? "crash" : enumOf(row, "error_class", ERROR_CLASSES),
    message: messageOf(row),
    attempts: numberOf(row, "attempts"),
    retryAtMs: isCrash(row) ? undefined : optionalNumberOf(row, "retry_at_ms"),
  }));
}

function isCrash(job: Row): boolean {
  return textOf(job, "status") === "running";
}

function messageOf(job: Row): string {
  if (!isCrash(job)) return textOf(job, "error_text");
  return CRASH_MESSAGES[textOf(job, "kind") === "extract" ? "extract" : "consolidate"];
}

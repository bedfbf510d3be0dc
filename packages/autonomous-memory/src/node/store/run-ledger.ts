import type { RunEnd, RunLedger, Spending } from "../../store/pipeline-store.ts";
import { numberOf, type Row, textOf } from "./database/row.ts";
import type { StateDatabase, Transaction } from "./database/state-database.ts";

/** How many runs of a project are kept. */
const KEPT_RUNS = 200;

export function createRunLedger(database: StateDatabase): RunLedger {
  return {
    spentTokens: (nowMs) => database.read((transaction) => spentByAll(transaction, nowMs)),
    spend: (runId, spent, nowMs) =>
      database.write((transaction) => spend(transaction, { runId, spent, nowMs })),
    begin: ({ project, trigger, nowMs }) =>
      database.write(({ insert }) =>
        insert(
          "INSERT INTO runs (project, trigger, started_at_ms) VALUES (:project, :trigger, :nowMs)",
          { project, trigger, nowMs },
        ),
      ),
    end: (runId, end) => database.write((transaction) => recordEnd(transaction, runId, end)),
  };
}

/** Tokens on a UTC day across all projects. */
export function spentByAll({ get }: Transaction, nowMs: number): number {
  const row = get(
    "SELECT ifnull(sum(input_tokens + output_tokens), 0) AS tokens FROM spending WHERE day = :day",
    { day: dayOf(nowMs) },
  );
  return Math.max(0, numberOf(row ?? {}, "tokens"));
}

/** The cost of a project on a UTC day, or in total. */
export function spentByProject(
  { get }: Transaction,
  project: string,
  nowMs: number | undefined,
): Spending {
  const row = get(
    `SELECT ifnull(sum(requests), 0) AS requests, ifnull(sum(input_tokens), 0) AS input_tokens,
       ifnull(sum(output_tokens), 0) AS output_tokens
     FROM spending WHERE project = :project AND (:day IS NULL OR day = :day)`,
    { project, day: nowMs === undefined ? null : dayOf(nowMs) },
  );
  return spendingOf(row ?? {});
}

/** Never negative: a correction after midnight belongs to the day before. */
export function spendingOf(row: Row): Spending {
  const count = (column: string): number => Math.max(0, numberOf(row, column));
  return {
    requests: count("requests"),
    inputTokens: count("input_tokens"),
    outputTokens: count("output_tokens"),
  };
}

function dayOf(nowMs: number): string {
  return new Date(nowMs).toISOString().slice(0, 10);
}

function spend(
  { get, run }: Transaction,
  {
    runId,
    spent,
    nowMs,
  }: { readonly runId: number; readonly spent: Spending; readonly nowMs: number },
): void {
  const { requests, inputTokens, outputTokens } = spent;
  const row = get(
    `UPDATE runs SET requests = requests + :requests, input_tokens = input_tokens + :inputTokens,
       output_tokens = output_tokens + :outputTokens WHERE id = :runId RETURNING project`,
    { runId, requests, inputTokens, outputTokens },
  );
  // A run that was already deleted still costs.
  const project = row === undefined ? "" : textOf(row, "project");
  run(
    `INSERT INTO spending (day, project, requests, input_tokens, output_tokens)
     VALUES (:day, :project, :requests, :inputTokens, :outputTokens)
     ON CONFLICT (day, project) DO UPDATE SET requests = requests + excluded.requests,
       input_tokens = input_tokens + excluded.input_tokens, output_tokens = output_tokens + excluded.output_tokens`,
    { day: dayOf(nowMs), project, requests, inputTokens, outputTokens },
  );
}

function recordEnd(transaction: Transaction, runId: number, end: RunEnd): void {
  const row = transaction.get(
    `UPDATE runs SET finished_at_ms = :nowMs, outcome = :outcome, reason = :reason, reason_code = :reasonCode, sessions_read = :sessionsRead,
       sessions_failed = :sessionsFailed, has_consolidated = :hasConsolidated WHERE id = :runId RETURNING project`,
    {
      runId,
      nowMs: end.nowMs,
      outcome: end.outcome,
      reason: end.reason ?? null,
      reasonCode: end.reasonCode ?? null,
      sessionsRead: end.sessionsRead,
      sessionsFailed: end.sessionsFailed,
      hasConsolidated: end.hasConsolidated ? 1 : 0,
    },
  );
  if (row === undefined) return;
  const project = textOf(row, "project");
  if (end.outcome === "nothing-new" || end.outcome === "skipped")
    mergeWithPrevious(transaction, runId, project);
  transaction.run(
    `DELETE FROM runs WHERE project = :project AND id <= (
       SELECT id FROM runs WHERE project = :project ORDER BY id DESC LIMIT 1 OFFSET ${KEPT_RUNS}
     )`,
    { project },
  );
}

/** Deletes the previous run if it did nothing for the same reason. */
function mergeWithPrevious({ run }: Transaction, runId: number, project: string): void {
  run(
    `DELETE FROM runs WHERE id = (SELECT max(id) FROM runs WHERE project = :project AND id < :runId)
       AND (outcome, ifnull(reason, ''), requests) =
         (SELECT outcome, ifnull(reason, ''), 0 FROM runs WHERE id = :runId)`,
    { project, runId },
  );
}

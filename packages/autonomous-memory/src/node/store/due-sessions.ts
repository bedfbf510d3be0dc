import { type DueCounts, type DueQuery, MAX_ATTEMPTS } from "../../store/pipeline-store.ts";
import { numberOf, textOf } from "./database/row.ts";
import type { Transaction, Values } from "./database/state-database.ts";

/** Whether the job's attempts were made on the current file, by an extractor that is good enough. */
export const IS_SAME_TRY = `(
  j.tried_mtime_ms = t.mtime_ms AND j.tried_size = t.size
  AND j.tried_extractor NOT IN (SELECT value FROM json_each(:replaces))
)`;

/** Whether this extractor need not repeat what was done last. */
export const IS_DONE_WELL = "(j.done_extractor NOT IN (SELECT value FROM json_each(:replaces)))";

/** The state of a session: one rule for counting and for claiming. */
export const SESSION_STATE: string = `CASE
  WHEN t.kind = 'opted-out' THEN 'optedOut'
  WHEN EXISTS (SELECT 1 FROM tombstones c WHERE c.thread_id = t.thread_id) THEN 'cleared'
  WHEN j.status = 'running' AND j.lease_until_ms > :nowMs THEN 'running'
  WHEN j.done_mtime_ms = t.mtime_ms AND j.done_size = t.size AND ${IS_DONE_WELL} THEN 'upToDate'
  WHEN min(t.mtime_ms, :nowMs) <= :notBeforeMs THEN 'tooOld'
  WHEN min(t.mtime_ms, :nowMs) > :idleSinceMs THEN 'tooRecent'
  WHEN t.thread_id IN (SELECT value FROM json_each(:running)) THEN 'tooRecent'
  WHEN NOT ifnull(${IS_SAME_TRY}, 0) THEN 'due'
  WHEN j.status = 'failed' THEN 'failed'
  WHEN j.status = 'running' AND j.attempts >= ${MAX_ATTEMPTS} THEN 'failed'
  WHEN j.status = 'waiting' AND j.retry_at_ms > :nowMs THEN 'waiting'
  ELSE 'due'
END`;

/**
 * The sessions of a project with their jobs. Of a session in several files, the opted-out one counts, otherwise the newest:
 * each of them would undo what was done for the others.
 */
export const SESSIONS = `threads t
  LEFT JOIN jobs j ON j.kind = 'extract' AND j.project = t.project AND j.key = t.thread_id
  WHERE t.project = :project
    AND t.source IN (SELECT value FROM json_each(:sources))
    AND NOT EXISTS (
      SELECT 1 FROM threads o INDEXED BY threads_by_id
      WHERE o.thread_id = t.thread_id AND o.project = t.project AND o.kind IN ('session', 'opted-out')
        AND o.source IN (SELECT value FROM json_each(:sources))
        AND (o.kind = 'opted-out', o.mtime_ms, o.path, o.source) > (t.kind = 'opted-out', t.mtime_ms, t.path, t.source)
    )`;

/** A query as the values of a statement. */
export function dueValues(query: DueQuery): Values {
  const { project, nowMs, idleSinceMs, notBeforeMs } = query;
  return {
    project,
    nowMs,
    idleSinceMs,
    notBeforeMs,
    sources: JSON.stringify(query.sources),
    running: JSON.stringify(query.running),
    // An extractor that replaced itself would read the same session forever.
    replaces: JSON.stringify(query.extractor.replaces.filter((id) => id !== query.extractor.id)),
  };
}

export function countSessions({ all }: Transaction, query: DueQuery): DueCounts {
  const rows = all(
    `SELECT ${SESSION_STATE} AS state, count(*) AS sessions FROM ${SESSIONS}
       AND t.kind IN ('session', 'opted-out') GROUP BY state`,
    dueValues(query),
  );
  const counted = new Map(rows.map((row) => [textOf(row, "state"), numberOf(row, "sessions")]));
  const count = (state: keyof DueCounts): number => counted.get(state) ?? 0;
  return {
    due: count("due"),
    upToDate: count("upToDate"),
    tooRecent: count("tooRecent"),
    tooOld: count("tooOld"),
    optedOut: count("optedOut"),
    cleared: count("cleared"),
    running: count("running"),
    waiting: count("waiting"),
    failed: count("failed"),
  };
}

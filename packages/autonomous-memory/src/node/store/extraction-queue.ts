import type {
  AttemptFilter,
  DueQuery,
  ExtractionClaim,
  ExtractionOutcome,
  ExtractionQueue,
  Lease,
} from "../../store/pipeline-store.ts";
import {
  countSessions,
  dueValues,
  IS_DONE_WELL,
  IS_SAME_TRY,
  SESSION_STATE,
  SESSIONS,
} from "./due-sessions.ts";
import {
  beginAttempt,
  type ClaimedJob,
  endWithoutSuccess,
  extendLease,
  giveUpCrashed,
  isHeld,
} from "./job-claims.ts";
import { epochOf } from "./project-state.ts";
import { numberOf, optionalTextOf, type Row, textOf } from "./database/row.ts";
import { storeOutput } from "./session-outputs.ts";
import type { StateDatabase, Transaction } from "./database/state-database.ts";

export function createExtractionQueue(database: StateDatabase): ExtractionQueue {
  return {
    count: (query) => database.read((transaction) => countSessions(transaction, query)),
    claim: (query, lease, filter) =>
      database.write((transaction) => claimNewest(transaction, { query, lease, filter })),
    heartbeat: (claim, nowMs, leaseMs) =>
      database.write((transaction) => extendLease(transaction, jobOf(claim), nowMs + leaseMs)),
    finish: (claim, outcome, nowMs) =>
      database.write((transaction) => {
        if (!isHeld(transaction, jobOf(claim))) return false;
        finish(transaction, { claim, outcome, nowMs });
        return true;
      }),
  };
}

function jobOf({ project, threadId, token, epoch }: ExtractionClaim): ClaimedJob {
  return { kind: "extract", project, key: threadId, token, epoch };
}

function claimNewest(
  transaction: Transaction,
  {
    query,
    lease,
    filter = null,
  }: {
    readonly query: DueQuery;
    readonly lease: Lease;
    readonly filter?: AttemptFilter | null | undefined;
  },
): ExtractionClaim | undefined {
  giveUpCrashed(transaction, { kind: "extract", project: query.project }, query.nowMs);
  const row = transaction.get(
    `SELECT t.thread_id, t.source, t.path, t.mtime_ms, t.size,
       ifnull(j.attempts, 0) AS attempts, ifnull(j.postponements, 0) AS postponements,
       ifnull(${IS_SAME_TRY}, 0) AS is_same_try,
       CASE WHEN ${IS_DONE_WELL} THEN j.done_content_hash END AS done_content_hash
     FROM ${SESSIONS} AND t.kind = 'session' AND ${SESSION_STATE} = 'due'
       AND (:filter IS NULL OR ifnull(${IS_SAME_TRY} AND j.attempts > 0, 0) = (:filter = 'tried'))
     ORDER BY t.mtime_ms DESC LIMIT 1`,
    { ...dueValues(query), filter },
  );
  return row === undefined ? undefined : claimSession(transaction, { row, query, lease });
}

function claimSession(
  transaction: Transaction,
  { row, query, lease }: { readonly row: Row; readonly query: DueQuery; readonly lease: Lease },
): ExtractionClaim {
  const { project, extractor, nowMs } = query;
  const threadId = textOf(row, "thread_id");
  const file = {
    path: textOf(row, "path"),
    mtimeMs: numberOf(row, "mtime_ms"),
    size: numberOf(row, "size"),
  };
  const isSameTry = numberOf(row, "is_same_try") === 1;
  const postponements = isSameTry ? numberOf(row, "postponements") : 0;
  transaction.run(
    `INSERT INTO jobs (kind, project, key, tried_mtime_ms, tried_size, tried_extractor)
     VALUES ('extract', :project, :threadId, :mtimeMs, :size, :extractorId)
     ON CONFLICT (kind, project, key) DO UPDATE SET tried_mtime_ms = excluded.tried_mtime_ms,
       tried_size = excluded.tried_size, tried_extractor = excluded.tried_extractor`,
    { project, threadId, mtimeMs: file.mtimeMs, size: file.size, extractorId: extractor.id },
  );
  const attempts = (isSameTry ? numberOf(row, "attempts") : 0) + 1;
  const jobKey = { kind: "extract", project, key: threadId } as const;
  beginAttempt(transaction, jobKey, { lease, nowMs, attempts, postponements });
  return {
    project,
    threadId,
    source: textOf(row, "source"),
    file,
    doneContentHash: optionalTextOf(row, "done_content_hash"),
    token: lease.token,
    epoch: epochOf(transaction, project),
    postponements,
  };
}

interface Finish<Outcome = ExtractionOutcome> {
  readonly claim: ExtractionClaim;
  readonly outcome: Outcome;
  readonly nowMs: number;
}

function finish(transaction: Transaction, { claim, outcome, nowMs }: Finish): void {
  const released = { kind: "released" } as const;
  switch (outcome.kind) {
    case "unchanged":
      return recordDone(transaction, { claim, outcome, nowMs });
    case "extracted":
      recordDone(transaction, { claim, outcome, nowMs });
      return storeOutput(transaction, {
        project: claim.project,
        threadId: claim.threadId,
        extractorId: outcome.extractorId,
        updatedAtMs: Math.min(claim.file.mtimeMs, nowMs),
        extraction: outcome.extraction,
      });
    case "gone":
      markUnknown(transaction, claim);
      return endWithoutSuccess(transaction, jobOf(claim), { outcome: released, nowMs });
    case "failed":
    case "postponed":
    case "released":
      return endWithoutSuccess(transaction, jobOf(claim), { outcome, nowMs });
  }
}

function recordDone(
  { run }: Transaction,
  { claim, outcome, nowMs }: Finish<Extract<ExtractionOutcome, { contentHash: string }>>,
): void {
  const { project, threadId, file } = claim;
  run(
    `UPDATE jobs SET status = 'idle', token = NULL, worker = NULL, lease_until_ms = NULL, attempts = 0,
       postponements = 0, retry_at_ms = NULL, error_class = NULL, error_text = NULL, updated_at_ms = :nowMs,
       done_mtime_ms = :mtimeMs, done_size = :size, done_content_hash = :contentHash, done_at_ms = :nowMs,
       done_extractor = coalesce(:extractorId, done_extractor, tried_extractor)
     WHERE kind = 'extract' AND project = :project AND key = :threadId`,
    {
      project,
      threadId,
      nowMs,
      mtimeMs: file.mtimeMs,
      size: file.size,
      contentHash: outcome.contentHash,
      extractorId: outcome.kind === "extracted" ? outcome.extractorId : null,
    },
  );
}

/** The next registration finds the file changed or missing, and decides what that means. */
function markUnknown({ run }: Transaction, { project, source, file }: ExtractionClaim): void {
  run(
    `UPDATE threads SET kind = 'unreadable', mtime_ms = -1, size = -1
     WHERE project = :project AND source = :source AND path = :path`,
    { project, source, path: file.path },
  );
}

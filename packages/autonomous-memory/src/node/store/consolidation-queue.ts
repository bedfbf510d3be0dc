import {
  type ConsolidationClaim,
  type ConsolidationQueue,
  type ConsolidationClaimResult,
  type Lease,
  MAX_ATTEMPTS,
} from "../../store/pipeline-store.ts";
import type { SeenExtraction, StoredExtraction } from "../../extraction/extraction.ts";
import {
  beginAttempt,
  type ClaimedJob,
  endWithoutSuccess,
  extendLease,
  giveUpCrashed,
  isHeld,
} from "./job-claims.ts";
import { epochOf, makeDirty } from "./project-state.ts";
import { numberOf, optionalNumberOf, optionalTextOf, type Row, textOf } from "./database/row.ts";
import type { StateDatabase, Transaction } from "./database/state-database.ts";

export function createConsolidationQueue(database: StateDatabase): ConsolidationQueue {
  return {
    claim: (project, nowMs, lease) =>
      database.write((transaction) => claimProject(transaction, { project, nowMs, lease })),
    heartbeat: (claim, nowMs, leaseMs) =>
      database.write((transaction) => extendLease(transaction, jobOf(claim), nowMs + leaseMs)),
    isHeld: (claim, nowMs) => database.read((transaction) => isLeased(transaction, claim, nowMs)),
    extractions: (project, limit) =>
      database.read(({ all }) =>
        all(
          `SELECT * FROM stage1_outputs WHERE project = :project AND (
             is_new = 1 OR thread_id IN (
               SELECT thread_id FROM stage1_outputs WHERE project = :project
               ORDER BY updated_at_ms DESC, thread_id LIMIT :limit
             )
           ) ORDER BY updated_at_ms DESC, thread_id`,
          { project, limit },
        ).map(storedExtraction),
      ),
    finish: (claim, outcome, nowMs) =>
      database.write((transaction) => {
        if (!isHeld(transaction, jobOf(claim))) return false;
        if (outcome.kind === "done") recordDone(transaction, { claim, seen: outcome.seen, nowMs });
        else endWithoutSuccess(transaction, jobOf(claim), { outcome, nowMs });
        return true;
      }),
  };
}

function jobOf({ project, token, epoch }: ConsolidationClaim): ClaimedJob {
  return { kind: "consolidate", project, key: "", token, epoch };
}

/** The stored consolidation job of a project; `undefined` when there never was anything to consolidate. */
export function consolidationJob({ get }: Transaction, project: string): Row | undefined {
  return get("SELECT * FROM jobs WHERE kind = 'consolidate' AND project = :project AND key = ''", {
    project,
  });
}

interface ClaimInput {
  readonly project: string;
  readonly nowMs: number;
  readonly lease: Lease;
}

function claimProject(transaction: Transaction, input: ClaimInput): ConsolidationClaimResult {
  const { project, nowMs, lease } = input;
  giveUpCrashed(transaction, { kind: "consolidate", project }, nowMs);
  const job = consolidationJob(transaction, project);
  if (job === undefined) return { kind: "clean" };
  const obstacle = findObstacle(transaction, job, nowMs);
  if (obstacle !== undefined) return obstacle;
  const watermark = numberOf(job, "input_watermark");
  const postponements = numberOf(job, "postponements");
  const attempts = (hasNewInput(job) ? 0 : numberOf(job, "attempts")) + 1;
  const jobKey = { kind: "consolidate", project, key: "" } as const;
  beginAttempt(transaction, jobKey, { lease, nowMs, attempts, postponements });
  transaction.run(
    `UPDATE jobs SET tried_watermark = input_watermark
     WHERE kind = 'consolidate' AND project = :project AND key = ''`,
    { project },
  );
  const isForced = optionalNumberOf(job, "forced_watermark") !== undefined;
  const epoch = epochOf(transaction, project);
  const { token } = lease;
  return {
    kind: "claimed",
    claim: { project, token, epoch, watermark, isForced, postponements },
  };
}

function findObstacle(
  transaction: Transaction,
  job: Row,
  nowMs: number,
): ConsolidationClaimResult | undefined {
  if (!isDirty(job)) return { kind: "clean" };
  if (isRunning(job, nowMs)) return { kind: "running" };
  if (isExtracting(transaction, textOf(job, "project"), nowMs)) return { kind: "extracting" };
  const message = optionalTextOf(job, "error_text") ?? "";
  if (isGivenUp(job)) return { kind: "given-up", message };
  const retryAtMs = optionalNumberOf(job, "retry_at_ms");
  if (retryAtMs !== undefined && retryAtMs > nowMs) return { kind: "waiting", retryAtMs, message };
  return undefined;
}

/** Whether there is something no consolidation has seen. */
export function isDirty(job: Row): boolean {
  return numberOf(job, "input_watermark") > numberOf(job, "success_watermark");
}

/** Whether a process is consolidating now. */
export function isRunning(job: Row, nowMs: number): boolean {
  const leaseUntilMs = optionalNumberOf(job, "lease_until_ms") ?? 0;
  return textOf(job, "status") === "running" && leaseUntilMs > nowMs;
}

/** Whether it is not retried until something changes. */
export function isGivenUp(job: Row): boolean {
  const isSpent = numberOf(job, "attempts") >= MAX_ATTEMPTS;
  return ["failed", "running"].includes(textOf(job, "status")) && isSpent && !hasNewInput(job);
}

function hasNewInput(job: Row): boolean {
  return numberOf(job, "input_watermark") > numberOf(job, "tried_watermark");
}

function isExtracting({ get }: Transaction, project: string, nowMs: number): boolean {
  const row = get(
    `SELECT 1 FROM jobs
     WHERE project = :project AND kind = 'extract' AND status = 'running' AND lease_until_ms > :nowMs LIMIT 1`,
    { project, nowMs },
  );
  return row !== undefined;
}

function isLeased(transaction: Transaction, claim: ConsolidationClaim, nowMs: number): boolean {
  if (!isHeld(transaction, jobOf(claim))) return false;
  const job = consolidationJob(transaction, claim.project);
  return job !== undefined && isRunning(job, nowMs);
}

function storedExtraction(row: Row): StoredExtraction {
  return {
    threadId: textOf(row, "thread_id"),
    rolloutSummary: textOf(row, "rollout_summary"),
    rolloutSlug: optionalTextOf(row, "rollout_slug"),
    rawMemory: textOf(row, "raw_memory"),
    updatedAtMs: numberOf(row, "updated_at_ms"),
    isNew: numberOf(row, "is_new") === 1,
    isRemoved: numberOf(row, "is_removed") === 1,
    watermark: numberOf(row, "watermark"),
  };
}

function recordDone(
  transaction: Transaction,
  {
    claim,
    seen,
    nowMs,
  }: {
    readonly claim: ConsolidationClaim;
    readonly seen: readonly SeenExtraction[];
    readonly nowMs: number;
  },
): void {
  const { project } = claim;
  for (const each of seen) markSeen(transaction, project, each);
  transaction.run(
    `UPDATE jobs SET status = 'idle', token = NULL, worker = NULL, lease_until_ms = NULL, attempts = 0,
       postponements = 0, retry_at_ms = NULL, error_class = NULL, error_text = NULL,
       updated_at_ms = :nowMs, done_at_ms = :nowMs, success_watermark = input_watermark,
       forced_watermark = CASE WHEN forced_watermark > :watermark THEN forced_watermark END
     WHERE kind = 'consolidate' AND project = :project AND key = ''`,
    { project, nowMs, watermark: claim.watermark },
  );
  if (hasUnseen(transaction, project)) makeDirty(transaction, project);
}

/** An extraction that changed since it was seen stays new. */
function markSeen(
  { run }: Transaction,
  project: string,
  { threadId, watermark }: SeenExtraction,
): void {
  const values = { project, threadId, watermark };
  const where =
    "WHERE project = :project AND thread_id = :threadId AND watermark <= :watermark AND is_removed";
  run(`DELETE FROM stage1_outputs ${where} = 1`, values);
  run(`UPDATE stage1_outputs SET is_new = 0 ${where} = 0`, values);
}

/** Also when a consolidation was requested while this one ran. */
function hasUnseen({ get }: Transaction, project: string): boolean {
  const row = get(
    `SELECT 1 FROM stage1_outputs WHERE project = :project AND is_new = 1
     UNION ALL SELECT 1 FROM jobs WHERE kind = 'consolidate' AND project = :project AND forced_watermark IS NOT NULL
     LIMIT 1`,
    { project },
  );
  return row !== undefined;
}

import { type FailedOutcome, type Lease, MAX_ATTEMPTS } from "../../store/pipeline-store.ts";
import { epochOf } from "./project-state.ts";
import type { Transaction } from "./database/state-database.ts";

/** A job that a worker has claimed. */
export interface ClaimedJob {
  readonly kind: "extract" | "consolidate";
  readonly project: string;
  /** The session; empty for the whole project. */
  readonly key: string;
  readonly token: string;
  readonly epoch: number;
}

type JobKey = Pick<ClaimedJob, "kind" | "project" | "key">;

/** Assigns an existing job to one worker. The attempt counts from here. */
export function beginAttempt(
  { run }: Transaction,
  { kind, project, key }: JobKey,
  attempt: {
    readonly lease: Lease;
    readonly nowMs: number;
    readonly attempts: number;
    readonly postponements: number;
  },
): void {
  const { lease, nowMs, attempts, postponements } = attempt;
  run(
    `UPDATE jobs SET status = 'running', worker = :worker, token = :token, lease_until_ms = :leaseUntilMs,
       attempts = :attempts, postponements = :postponements, retry_at_ms = NULL, updated_at_ms = :nowMs
     WHERE kind = :kind AND project = :project AND key = :key`,
    {
      kind,
      project,
      key,
      nowMs,
      attempts,
      postponements,
      worker: lease.worker,
      token: lease.token,
      leaseUntilMs: nowMs + lease.leaseMs,
    },
  );
}

/** Whether no other worker claimed the job and the project was not cleared since. An expired lease does not matter. */
export function isHeld(
  transaction: Transaction,
  { kind, project, key, token, epoch }: ClaimedJob,
): boolean {
  const row = transaction.get(
    `SELECT 1 FROM jobs
     WHERE kind = :kind AND project = :project AND key = :key AND token = :token AND status = 'running'`,
    { kind, project, key, token },
  );
  return row !== undefined && epochOf(transaction, project) === epoch;
}

/** Extends the lease of a claimed job; false when the claim was lost. */
export function extendLease(
  transaction: Transaction,
  job: ClaimedJob,
  leaseUntilMs: number,
): boolean {
  if (!isHeld(transaction, job)) return false;
  const { kind, project, key } = job;
  transaction.run(
    `UPDATE jobs SET lease_until_ms = :leaseUntilMs
     WHERE kind = :kind AND project = :project AND key = :key`,
    { kind, project, key, leaseUntilMs },
  );
  return true;
}

/** Ends a claimed job without success. */
export function endWithoutSuccess(
  { run }: Transaction,
  { kind, project, key }: JobKey,
  { outcome, nowMs }: { readonly outcome: FailedOutcome; readonly nowMs: number },
): void {
  const values = { kind, project, key, nowMs };
  if (outcome.kind === "released") {
    run(`${RELEASE}, status = 'idle', attempts = max(attempts - 1, 0) ${WHERE_KEY}`, values);
    return;
  }
  const { errorClass, message, retryAtMs } = outcome;
  const failure = { ...values, errorClass, message, retryAtMs };
  const recorded = `${RELEASE}, error_class = :errorClass, error_text = :message`;
  if (outcome.kind === "postponed") {
    run(
      `${recorded}, status = 'waiting', retry_at_ms = :retryAtMs, attempts = max(attempts - 1, 0),
         postponements = postponements + 1 ${WHERE_KEY}`,
      failure,
    );
    return;
  }
  run(
    `${recorded}, postponements = 0,
       status = CASE WHEN attempts >= ${MAX_ATTEMPTS} THEN 'failed' ELSE 'waiting' END,
       retry_at_ms = CASE WHEN attempts >= ${MAX_ATTEMPTS} THEN NULL ELSE :retryAtMs END ${WHERE_KEY}`,
    failure,
  );
}

/** Gives up the jobs of a project that crashed their process in every attempt. */
export function giveUpCrashed(
  { run }: Transaction,
  { kind, project }: Pick<ClaimedJob, "kind" | "project">,
  nowMs: number,
): void {
  run(
    `${RELEASE}, status = 'failed', retry_at_ms = NULL, error_class = 'crash', error_text = :message
     WHERE kind = :kind AND project = :project AND ${HAS_CRASHED}`,
    { kind, project, nowMs, message: CRASH_MESSAGES[kind] },
  );
}

/** Whether a job crashed its process in the last attempt. */
export const HAS_CRASHED: string = `(status = 'running' AND lease_until_ms <= :nowMs AND attempts >= ${MAX_ATTEMPTS})`;

/** The message for a job that crashed its process in every attempt. */
export const CRASH_MESSAGES: Readonly<Record<ClaimedJob["kind"], string>> = {
  extract: `the process crashed ${MAX_ATTEMPTS} times while reading this session`,
  consolidate: `the process crashed ${MAX_ATTEMPTS} times while updating the memory`,
};

const RELEASE =
  "UPDATE jobs SET token = NULL, worker = NULL, lease_until_ms = NULL, updated_at_ms = :nowMs";
const WHERE_KEY = "WHERE kind = :kind AND project = :project AND key = :key";

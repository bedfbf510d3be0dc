import { type FailedOutcome, type Lease, MAX_ATTEMPTS } from "../../store/pipeline-store.ts";
import { epochOf } from "./project-state.ts";
import type { Transaction } from "./state-database.ts";

/** Which job a worker has. */
export interface ClaimedJob {
  readonly kind: "extract" | "consolidate";
  readonly project: string;
  /** The session; empty for the project as a whole. */
  readonly key: string;
  readonly token: string;
  readonly epoch: number;
}

type JobPlace = Pick<ClaimedJob, "kind" | "project" | "key">;

/** Takes a job that is there, for one worker. The attempt counts from here. */
export function beginAttempt(
  { run }: Transaction,
  { kind, project, key }: JobPlace,
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

/** Whether nobody took the job since, and nobody cleared the project. A lease that ran out does not matter. */
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

/** Extends the lease of a job that is held; false otherwise. */
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

/** Ends a job that is held, without success. */
export function endWithoutSuccess(
  { run }: Transaction,
  { kind, project, key }: JobPlace,
  { outcome, nowMs }: { readonly outcome: FailedOutcome; readonly nowMs: number },
): void {
  const place = { kind, project, key, nowMs };
  if (outcome.kind === "released") {
    run(`${LET_GO}, status = 'idle', attempts = max(attempts - 1, 0) ${AT_PLACE}`, place);
    return;
  }
  const { errorClass, sentence, retryAtMs } = outcome;
  const why = { ...place, errorClass, sentence, retryAtMs };
  const noted = `${LET_GO}, error_class = :errorClass, error_text = :sentence`;
  if (outcome.kind === "postponed") {
    run(
      `${noted}, status = 'waiting', retry_at_ms = :retryAtMs, attempts = max(attempts - 1, 0),
         postponements = postponements + 1 ${AT_PLACE}`,
      why,
    );
    return;
  }
  run(
    `${noted}, postponements = 0,
       status = CASE WHEN attempts >= ${MAX_ATTEMPTS} THEN 'failed' ELSE 'waiting' END,
       retry_at_ms = CASE WHEN attempts >= ${MAX_ATTEMPTS} THEN NULL ELSE :retryAtMs END ${AT_PLACE}`,
    why,
  );
}

/** Gives up the jobs of a project that ended their process in every attempt. */
export function giveUpCrashed(
  { run }: Transaction,
  { kind, project }: Pick<ClaimedJob, "kind" | "project">,
  nowMs: number,
): void {
  run(
    `${LET_GO}, status = 'failed', retry_at_ms = NULL, error_class = 'crash', error_text = :sentence
     WHERE kind = :kind AND project = :project AND ${HAS_CRASHED}`,
    { kind, project, nowMs, sentence: CRASH_SENTENCES[kind] },
  );
}

/** Whether a job's last attempt ended with its process. */
export const HAS_CRASHED: string = `(status = 'running' AND lease_until_ms <= :nowMs AND attempts >= ${MAX_ATTEMPTS})`;

/** What is said of a job that ended its process in every attempt. */
export const CRASH_SENTENCES: Readonly<Record<ClaimedJob["kind"], string>> = {
  extract: `the process ended ${MAX_ATTEMPTS} times while this session was read`,
  consolidate: `the process ended ${MAX_ATTEMPTS} times while the memory was consolidated`,
};

const LET_GO =
  "UPDATE jobs SET token = NULL, worker = NULL, lease_until_ms = NULL, updated_at_ms = :nowMs";
const AT_PLACE = "WHERE kind = :kind AND project = :project AND key = :key";

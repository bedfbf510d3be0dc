import type { Extractor } from "../model/completion.ts";
import type { Extraction, SeenExtraction, StoredExtraction } from "../extraction/extraction.ts";
import type { SourceFile } from "../transcript/session-source.ts";
import type { ErrorClass } from "../run/classify-error.ts";
import type { RunOutcome, RunReasonCode } from "../run/pipeline-report.ts";
import type { PipelineStats } from "./pipeline-stats.ts";

/**
 * The registry of sessions, the job queues and the cost of runs. Every method is one transaction: it happens completely or
 * not at all, even if the process is killed. Times are arguments.
 */
export interface PipelineStore {
  readonly registry: ThreadRegistry;
  readonly extractions: ExtractionQueue;
  readonly consolidations: ConsolidationQueue;
  readonly ledger: RunLedger;
  readonly admin: StoreAdmin;
  readonly close: () => void;
}

/** The known session files. */
export interface ThreadRegistry {
  /** The files of a source as they were last identified for this project, including those that belong to other projects. */
  readonly known: (project: string, source: string) => readonly SourceFile[];
  /** Records changed files. A session known under another project and another path has moved. */
  readonly update: (project: string, changes: RegistryChanges) => void;
}

export interface KnownFile extends SourceFile {
  readonly kind: ThreadKind;
  /** `undefined` for a file of another project, or one that cannot be read. */
  readonly threadId: string | undefined;
}

export type ThreadKind = "session" | "opted-out" | "other-project" | "unreadable";

export interface RegistryChanges {
  readonly source: string;
  /** New files, and files whose time or size changed. The content of a changed session is unknown until it is read. */
  readonly found: readonly KnownFile[];
  /** Paths that no longer exist, from a complete listing. */
  readonly gone: readonly string[];
  /** Whether to forget what was learned from the missing ones: marks the extraction removed and the project dirty. */
  readonly forgetGone: boolean;
}

/** Which sessions may be read now. */
export interface DueQuery {
  readonly project: string;
  /** Only these sources count: the user may have disabled one. */
  readonly sources: readonly string[];
  readonly nowMs: number;
  /** Last active before this time; a time in the future counts as now. */
  readonly idleSinceMs: number;
  /** Last active after this time. */
  readonly notBeforeMs: number;
  /** Sessions in progress. */
  readonly running: readonly string[];
  readonly extractor: Extractor;
}

/** The number of sessions of a project by state. Each is counted once. */
export interface DueCounts {
  readonly due: number;
  readonly upToDate: number;
  /** Active too recently, or in progress. */
  readonly tooRecent: number;
  readonly tooOld: number;
  readonly optedOut: number;
  readonly cleared: number;
  /** Being read by a process now. */
  readonly running: number;
  /** Waiting to be retried. */
  readonly waiting: number;
  /** Given up after too many attempts. */
  readonly failed: number;
}

export interface Lease {
  readonly worker: string;
  /** Unique. */
  readonly token: string;
  readonly leaseMs: number;
}

/** A session that this worker reads now. */
export interface ExtractionClaim {
  readonly project: string;
  readonly threadId: string;
  readonly source: string;
  readonly file: SourceFile;
  /** The hash of the content extracted last, unless this extractor should do it again. */
  readonly doneContentHash: string | undefined;
  readonly token: string;
  /** The epoch of the project at the time of the claim: clearing the project starts a new one. */
  readonly epoch: number;
  /** How many times in a row it was postponed. */
  readonly postponements: number;
}

export const MAX_ATTEMPTS = 3;

/** Only sessions with an unfinished attempt, or only those without. */
export type AttemptFilter = "tried" | "untried";

/** One job per session. An attempt counts from its start, so that a crash counts too. */
export interface ExtractionQueue {
  readonly count: (query: DueQuery) => DueCounts;
  /** Claims the most recent due session for this worker alone. Gives up sessions that crashed three processes. */
  readonly claim: (
    query: DueQuery,
    lease: Lease,
    filter?: AttemptFilter,
  ) => ExtractionClaim | undefined;
  /** Extends the lease; false when the claim was lost. */
  readonly heartbeat: (claim: ExtractionClaim, nowMs: number, leaseMs: number) => boolean;
  /** False when the claim was lost or the project was cleared meanwhile: nothing was changed then. */
  readonly finish: (claim: ExtractionClaim, outcome: ExtractionOutcome, nowMs: number) => boolean;
}

export type ExtractionOutcome =
  /** The content is the same as the one extracted before. */
  | { readonly kind: "unchanged"; readonly contentHash: string }
  /**
   * Replaces the stored extraction. The project becomes dirty, unless nothing durable was found and nothing was stored
   * before; a stored extraction is then marked removed.
   */
  | {
      readonly kind: "extracted";
      readonly contentHash: string;
      readonly extractorId: string;
      readonly extraction: Extraction;
    }
  /** The file no longer exists, or is something else now. */
  | { readonly kind: "gone" }
  | FailedOutcome;

/** How a job ends without success. */
export type FailedOutcome =
  /** The attempt counts; after the third one, only a changed session or a retry by the user starts another. */
  | {
      readonly kind: "failed";
      readonly errorClass: ErrorClass;
      readonly message: string;
      readonly retryAtMs: number;
    }
  /** The attempt does not count. */
  | {
      readonly kind: "postponed";
      readonly errorClass: ErrorClass;
      readonly message: string;
      readonly retryAtMs: number;
    }
  /** The attempt does not count, and any worker may claim the job at once. */
  | { readonly kind: "released" };

/** A project that this worker consolidates now. */
export interface ConsolidationClaim {
  readonly project: string;
  readonly token: string;
  readonly epoch: number;
  /** Everything up to this change is to be seen. */
  readonly watermark: number;
  /** Whether the user requested it: all extractions then count as new. */
  readonly isForced: boolean;
  readonly postponements: number;
}

export type ConsolidationClaimResult =
  | { readonly kind: "claimed"; readonly claim: ConsolidationClaim }
  /** Nothing new: no request is needed. */
  | { readonly kind: "clean" }
  /** Another process is consolidating. */
  | { readonly kind: "running" }
  /** Sessions of this project are still being read; the worker that finishes last consolidates. */
  | { readonly kind: "extracting" }
  | { readonly kind: "waiting"; readonly retryAtMs: number; readonly message: string }
  | { readonly kind: "given-up"; readonly message: string };

export interface ConsolidationQueue {
  readonly claim: (project: string, nowMs: number, lease: Lease) => ConsolidationClaimResult;
  readonly heartbeat: (claim: ConsolidationClaim, nowMs: number, leaseMs: number) => boolean;
  /** Whether lease and epoch are still valid; to be checked right before anything is replaced. */
  readonly isHeld: (claim: ConsolidationClaim, nowMs: number) => boolean;
  /** Newest first; always includes those that are new or removed. */
  readonly extractions: (project: string, limit: number) => readonly StoredExtraction[];
  readonly finish: (
    claim: ConsolidationClaim,
    outcome: ConsolidationOutcome,
    nowMs: number,
  ) => boolean;
}

export type ConsolidationOutcome =
  /** Seen extractions are no longer new, and removed ones are deleted. Whatever arrived meanwhile stays new. */
  { readonly kind: "done"; readonly seen: readonly SeenExtraction[] } | FailedOutcome;

/** The cost and outcome of runs. */
export interface RunLedger {
  /** Input and output tokens on a UTC day across all projects. */
  readonly spentTokens: (nowMs: number) => number;
  /** Adds to the day and to the run; negative numbers correct an estimate that was too high. */
  readonly spend: (runId: number, spent: Spending, nowMs: number) => void;
  readonly begin: (run: NewRun) => number;
  readonly end: (runId: number, end: RunEnd) => void;
}

export interface Spending {
  readonly requests: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

export interface NewRun {
  readonly project: string;
  /** `start` of a session, or `now` when the user waits for it. */
  readonly trigger: string;
  readonly nowMs: number;
}

export interface RunEnd {
  readonly outcome: RunOutcome;
  /** Why it was skipped, stopped or failed. */
  readonly reason?: string | undefined;
  readonly reasonCode?: RunReasonCode | undefined;
  readonly sessionsRead: number;
  readonly sessionsFailed: number;
  readonly hasConsolidated: boolean;
  readonly nowMs: number;
}

export interface StoreAdmin {
  /** Marks a project dirty, with all extractions as new, and grants an abandoned consolidation new attempts. */
  readonly enqueue: (project: string, nowMs: number) => void;
  /** Grants every job that failed or waits new attempts; returns how many. */
  readonly retry: (project: string, nowMs: number) => number;
  /** Makes every waiting session due now, without new attempts; returns how many. */
  readonly expedite: (project: string, nowMs: number) => number;
  /** Makes a session due again that was read before a time. */
  readonly reread: (project: string, threadId: string, beforeMs: number) => void;
  /**
   * Forgets everything except which sessions were read, are being read or failed: those are never read again. A session
   * that only waits for an unreachable model was not read. Starts a new epoch; returns how many sessions stay excluded.
   */
  readonly clear: (project: string, nowMs: number) => number;
  /** Every project with stored data. */
  readonly projects: () => readonly string[];
  readonly stats: (query: DueQuery) => PipelineStats;
}

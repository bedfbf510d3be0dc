import type { Extraction } from "../extraction/extraction-task.ts";
import type { Extractor } from "../complete.ts";
import type { SourceFile } from "../session-source.ts";
import type { PipelineStats } from "./pipeline-stats.ts";
import type { StoredExtraction } from "./stored-extraction.ts";

/**
 * The registry of sessions, the queue of jobs and what was spent. Every method is one transaction: it happened whole or
 * not at all, whenever the process ends. Times come in as arguments.
 */
export interface PipelineStore {
  readonly registry: ThreadRegistry;
  readonly extractions: ExtractionQueue;
  readonly consolidations: ConsolidationQueue;
  readonly ledger: RunLedger;
  readonly admin: StoreAdmin;
  readonly close: () => void;
}

/** Which session files are known, and what is known of them. */
export interface ThreadRegistry {
  /** The files of a source that were looked at for this project, as they were then; also those that are none of ours. */
  readonly known: (project: string, source: string) => readonly SourceFile[];
  /** Takes over what was found; a session that is known under another project and another path has moved. */
  readonly update: (project: string, changes: RegistryChanges) => void;
}

export interface KnownFile extends SourceFile {
  readonly kind: ThreadKind;
  /** `undefined` for a file that is none of ours, or cannot be read. */
  readonly threadId: string | undefined;
}

export type ThreadKind = "session" | "opted-out" | "other-project" | "unreadable";

export interface RegistryChanges {
  readonly source: string;
  /** New, or with another time or size. A session whose file changed has an unknown content until it is read. */
  readonly found: readonly KnownFile[];
  /** Paths that are gone, of a listing that is complete. */
  readonly gone: readonly string[];
  /** Whether what was learned from those is to go: its extraction is marked removed, and the project dirty. */
  readonly forgetGone: boolean;
}

/** Which sessions may be read now. */
export interface DueQuery {
  readonly project: string;
  /** Only sessions of these count: the person may have turned a source off. */
  readonly sources: readonly string[];
  readonly nowMs: number;
  /** Last used before this time; a time in the future counts as now. */
  readonly idleSinceMs: number;
  /** Last used after this time. */
  readonly notBeforeMs: number;
  /** Sessions that are going on. */
  readonly running: readonly string[];
  readonly extractor: Extractor;
}

/** How many sessions of the project there are, by what is to happen to them. Each is counted once. */
export interface DueCounts {
  readonly due: number;
  readonly upToDate: number;
  /** Used too recently, or going on. */
  readonly tooRecent: number;
  readonly tooOld: number;
  readonly optedOut: number;
  readonly cleared: number;
  /** Being read by a process now. */
  readonly running: number;
  /** Waiting for a time to be tried again. */
  readonly waiting: number;
  /** Given up after too many attempts. */
  readonly failed: number;
}

export interface Lease {
  readonly worker: string;
  /** Unlike any other. */
  readonly token: string;
  readonly leaseMs: number;
}

/** A session that this worker reads now. */
export interface ExtractionClaim {
  readonly project: string;
  readonly threadId: string;
  readonly source: string;
  readonly file: SourceFile;
  /** Of what was extracted from it last, where that need not be done again by this extractor. */
  readonly doneContentHash: string | undefined;
  readonly token: string;
  /** Of the project when it was claimed: who clears it makes another. */
  readonly epoch: number;
  /** How often in a row it was postponed. */
  readonly postponements: number;
}

export const MAX_ATTEMPTS = 3;

/** Only those whose reading was begun before and not brought to an end, or only the others. */
export type ClaimedSessions = "tried" | "untried";

/** One job a session. An attempt counts when it begins, so that a crash counts too. */
export interface ExtractionQueue {
  readonly count: (query: DueQuery) => DueCounts;
  /** The due session that was used last, for this worker alone. One that ended three processes is given up here. */
  readonly claim: (
    query: DueQuery,
    lease: Lease,
    which?: ClaimedSessions,
  ) => ExtractionClaim | undefined;
  /** Extends the lease; false when the claim is no longer ours. */
  readonly heartbeat: (claim: ExtractionClaim, nowMs: number, leaseMs: number) => boolean;
  /** False when the claim was no longer ours or the project was cleared since: nothing was changed then. */
  readonly finish: (claim: ExtractionClaim, outcome: ExtractionOutcome, nowMs: number) => boolean;
}

export type ExtractionOutcome =
  /** The content is what was extracted before. */
  | { readonly kind: "unchanged"; readonly contentHash: string }
  /**
   * Stored in the place of what was there. The project becomes dirty unless nothing durable was found and nothing was
   * there before; where something was, it is marked removed.
   */
  | {
      readonly kind: "extracted";
      readonly contentHash: string;
      readonly extractorId: string;
      readonly extraction: Extraction;
    }
  /** The file is gone, or is of another kind than it was. */
  | { readonly kind: "gone" }
  | FailedOutcome;

/** How a job ends without success. */
export type FailedOutcome =
  /** The attempt counts; the third one is the last until the session changes or the person says retry. */
  | {
      readonly kind: "failed";
      readonly errorClass: ErrorClass;
      readonly sentence: string;
      readonly retryAtMs: number;
    }
  /** The attempt does not count. */
  | {
      readonly kind: "postponed";
      readonly errorClass: ErrorClass;
      readonly sentence: string;
      readonly retryAtMs: number;
    }
  /** Given back untouched: the attempt does not count, and anybody may take it at once. */
  | { readonly kind: "released" };

export type ErrorClass = "overflow" | "transient" | "setup" | "permanent" | "crash";

/** The project while this worker consolidates it. */
export interface ConsolidationClaim {
  readonly project: string;
  readonly token: string;
  readonly epoch: number;
  /** Everything up to here is to be seen. */
  readonly watermark: number;
  /** Whether the person asked for it: all extractions count as new then. */
  readonly isForced: boolean;
  readonly postponements: number;
}

export type ConsolidationTurn =
  | { readonly kind: "claimed"; readonly claim: ConsolidationClaim }
  /** Nothing new: no model is to be asked. */
  | { readonly kind: "clean" }
  /** Another process does it. */
  | { readonly kind: "running" }
  /** Sessions of this project are still being read; whoever ends last consolidates. */
  | { readonly kind: "extracting" }
  | { readonly kind: "waiting"; readonly retryAtMs: number; readonly sentence: string }
  | { readonly kind: "given-up"; readonly sentence: string };

export interface ConsolidationQueue {
  readonly claim: (project: string, nowMs: number, lease: Lease) => ConsolidationTurn;
  readonly heartbeat: (claim: ConsolidationClaim, nowMs: number, leaseMs: number) => boolean;
  /** Whether lease and epoch are still ours; to be asked right before anything is replaced. */
  readonly isOurs: (claim: ConsolidationClaim, nowMs: number) => boolean;
  /** Newest first; those that nobody has seen yet and those that are removed are always among them. */
  readonly extractions: (project: string, limit: number) => readonly StoredExtraction[];
  readonly finish: (
    claim: ConsolidationClaim,
    outcome: ConsolidationOutcome,
    nowMs: number,
  ) => boolean;
}

export type ConsolidationOutcome =
  /** What was seen is no longer new, removed extractions that were seen are dropped. What came meanwhile stays new. */
  { readonly kind: "done"; readonly seen: readonly SeenExtraction[] } | FailedOutcome;

export type SeenExtraction = Pick<StoredExtraction, "threadId" | "watermark">;

/** What runs cost and how they ended. */
export interface RunLedger {
  /** Tokens in and out on a UTC day, over all projects. */
  readonly spentTokens: (nowMs: number) => number;
  /** Adds to the day and to the run; negative numbers take back what was estimated too high. */
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
  /** `start` of a session, or `now` when the person waits for it. */
  readonly trigger: string;
  readonly nowMs: number;
}

export type RunOutcome = "done" | "nothing-new" | "skipped" | "stopped" | "failed";

export interface RunEnd {
  readonly outcome: RunOutcome;
  /** Why it was skipped, stopped or failed. */
  readonly reason?: string | undefined;
  readonly sessionsRead: number;
  readonly sessionsFailed: number;
  readonly hasConsolidated: boolean;
  readonly nowMs: number;
}

export interface StoreAdmin {
  /** Makes a project dirty, with all extractions as new, and gives a consolidation that was given up new attempts. */
  readonly enqueue: (project: string, nowMs: number) => void;
  /** Gives every job that failed or waits new attempts at once; how many. */
  readonly retry: (project: string, nowMs: number) => number;
  /** Makes every session that waits to be tried again due at once; its attempts go on counting. How many. */
  readonly hasten: (project: string, nowMs: number) => number;
  /**
   * Forgets everything but which sessions were read, are being read or failed: those stay out for good. One that only
   * waits for a model that could not be reached was not read. Makes a new epoch. How many stay out.
   */
  readonly clear: (project: string, nowMs: number) => number;
  /** Every project that there is something of. */
  readonly projects: () => readonly string[];
  readonly stats: (query: DueQuery) => PipelineStats;
}

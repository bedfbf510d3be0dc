import type { Clock } from "../../clock.ts";
import type { CompletionModel } from "../../complete.ts";
import type { Generations } from "../../generation/generations.ts";
import type { PipelineEvent } from "../../pipeline-report.ts";
import type { SessionSource } from "../../session-source.ts";
import type { PipelineSettings } from "../../settings.ts";
import type { StopSignal } from "../../stop-signal.ts";
import type { Lease, PipelineStore } from "../../store/pipeline-store.ts";

/** What a run works with. */
export interface PipelineParts {
  /** The name of the project's home; what belongs together in the store. */
  readonly project: string;
  readonly store: PipelineStore;
  readonly generations: Generations;
  readonly sources: readonly SessionSource[];
  readonly model: CompletionModel;
  readonly clock: Clock;
  readonly settings: PipelineSettings;
  /** Sessions that are going on, which are not read. */
  readonly running: readonly string[];
  /** Directories that hold memory: what a session read there is not learned again. */
  readonly memoryHomes?: readonly string[] | undefined;
  /** Who works, for people who look at the queue. */
  readonly worker: string;
  readonly signal?: StopSignal | undefined;
  readonly onEvent?: ((event: PipelineEvent) => void) | undefined;
}

/** A run while it goes on: what it works with, what it has done, and why it ends before its end. */
export interface PipelineRun extends PipelineParts {
  readonly runId: number;
  readonly tally: RunTally;
}

/** The one thing here that changes. */
export interface RunTally {
  sessionsRead: number;
  sessionsFailed: number;
  requests: number;
  inputTokens: number;
  outputTokens: number;
  /** Requests in a row that failed although the session was not to blame. */
  failuresInARow: number;
  generation: number | undefined;
  /** Why nothing more is begun. */
  end: RunStop | undefined;
  readonly notices: string[];
}

export interface RunStop {
  readonly outcome: "stopped" | "failed" | "skipped";
  readonly reason: string;
}

/** A run that has done nothing yet. */
export function emptyTally(): RunTally {
  return {
    sessionsRead: 0,
    sessionsFailed: 0,
    requests: 0,
    inputTokens: 0,
    outputTokens: 0,
    failuresInARow: 0,
    generation: undefined,
    end: undefined,
    notices: [],
  };
}

/** Whether there is a reason to begin nothing more. */
export function hasEnded({ signal, tally }: PipelineRun): boolean {
  return tally.end !== undefined || signal?.aborted === true;
}

/** Ends a run; the first reason counts. */
export function endRun({ tally }: PipelineRun, stop: RunStop): void {
  tally.end ??= stop;
}

/** A lease with a token of its own. */
export function newLease({ worker }: Pick<PipelineParts, "worker">, seconds: number): Lease {
  return { worker, token: crypto.randomUUID(), leaseMs: seconds * 1_000 };
}

import { randomUUID } from "node:crypto";
import { thisMachine } from "@caliban/common/node";
import type { ForgottenStatements } from "../../forgotten/forgotten-statements.ts";
import type { Clock } from "../../run/clock.ts";
import type { CompletionModel } from "../../model/completion.ts";
import type { QuestionSources } from "../../exam/questions.ts";
import type { Generations } from "../../generation/generations.ts";
import type { PipelineNotice } from "../../run/notice.ts";
import type { PipelineEvent, RunReasonCode } from "../../run/pipeline-report.ts";
import type { OpenSessionReview } from "../../review/session-review.ts";
import type { SessionSource } from "../../transcript/session-source.ts";
import { DEFAULT_PIPELINE_SETTINGS, type PipelineSettings } from "../../run/settings.ts";
import type { StopSignal } from "@caliban/common";
import type { Lease, PipelineStore } from "../../store/pipeline-store.ts";
import { systemClock } from "../system-clock.ts";

export interface RunPipelineInput {
  /** Identifies the project in the store: the name of its directory. */
  readonly project: string;
  readonly store: PipelineStore;
  readonly generations: Generations;
  readonly sources: readonly SessionSource[];
  readonly model: CompletionModel;
  /** What started the run: a new conversation, or a user who waits for it (the default). */
  readonly trigger?: "start" | "now" | undefined;
  readonly clock?: Clock | undefined;
  readonly settings?: Partial<PipelineSettings> | undefined;
  /** Sessions in progress, which are not read. */
  readonly running?: readonly string[] | undefined;
  /** Directories that contain memory: what a session read there is not learned again. */
  readonly memoryDirectories?: readonly string[] | undefined;
  /** What a new memory is examined about, besides the facts of past sessions. */
  readonly exam?: ExamInput | undefined;
  /** What the user forgot, which must not be learned again. */
  readonly forgotten?: ForgottenStatements | undefined;
  /** Decides what can be learned from a session that contains text of others. */
  readonly review?: OpenSessionReview | undefined;
  /** Names this worker in the queue. */
  readonly worker?: string | undefined;
  readonly signal?: StopSignal | undefined;
  readonly onEvent?: ((event: PipelineEvent) => void) | undefined;
}

/** What a new memory is examined about, besides the facts of past sessions. */
export interface ExamInput extends Pick<QuestionSources, "isForgotten"> {
  /** Lines such as `Which tool deploys? pnpm ship`. Called when there is a new memory. */
  readonly expect?: (() => Promise<readonly string[]>) | undefined;
}

/** A run in progress: its input, what it has done so far, and why it ends early. */
export interface PipelineRun extends RunPipelineInput {
  readonly trigger: "start" | "now";
  readonly clock: Clock;
  readonly settings: PipelineSettings;
  readonly running: readonly string[];
  readonly memoryDirectories: readonly string[];
  readonly worker: string;
  readonly runId: number;
  readonly startedMs: number;
  readonly tally: RunTally;
}

/** The only mutable state of a run. */
interface RunTally {
  sessionsRead: number;
  sessionsFailed: number;
  /** Statements that were left out because the user forgot them. */
  forgotten: number;
  /** Statements that were not learned and wait for the user. */
  held: number;
  requests: number;
  inputTokens: number;
  outputTokens: number;
  /** Consecutive requests that failed for reasons outside the session. */
  failuresInARow: number;
  generation: number | undefined;
  /** Why nothing more is started. */
  end: RunStop | undefined;
  readonly notices: PipelineNotice[];
}

export interface RunStop {
  readonly outcome: "stopped" | "failed" | "skipped";
  readonly reason: string;
  readonly reasonCode: RunReasonCode;
}

/** Fills in the defaults and records the start of the run. */
export function startRun(input: RunPipelineInput): PipelineRun {
  const { project, store, trigger = "now", clock = systemClock() } = input;
  const startedMs = clock.nowMs();
  return {
    ...input,
    trigger,
    clock,
    settings: { ...DEFAULT_PIPELINE_SETTINGS, ...input.settings },
    running: input.running ?? [],
    memoryDirectories: input.memoryDirectories ?? [],
    worker: input.worker ?? `${thisMachine().pid}-${randomUUID().slice(0, 8)}`,
    startedMs,
    runId: store.ledger.begin({ project, trigger, nowMs: startedMs }),
    tally: emptyTally(),
  };
}

function emptyTally(): RunTally {
  return {
    sessionsRead: 0,
    sessionsFailed: 0,
    forgotten: 0,
    held: 0,
    requests: 0,
    inputTokens: 0,
    outputTokens: 0,
    failuresInARow: 0,
    generation: undefined,
    end: undefined,
    notices: [],
  };
}

/** Whether nothing more should be started. */
export function hasEnded({ signal, tally }: PipelineRun): boolean {
  return tally.end !== undefined || signal?.aborted === true;
}

/** Ends a run early; the first reason counts. */
export function endRun({ tally }: PipelineRun, stop: RunStop): void {
  tally.end ??= stop;
}

/** A lease with a unique token. */
export function newLease({ worker }: Pick<PipelineRun, "worker">, seconds: number): Lease {
  return { worker, token: randomUUID(), leaseMs: seconds * 1_000 };
}

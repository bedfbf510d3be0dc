import { classifyError } from "../classify-error.ts";
import type { PipelineReport } from "../pipeline-report.ts";
import type { RunOutcome } from "../store/pipeline-store.ts";
import { consolidate } from "./phases/consolidate.ts";
import { extractSessions } from "./phases/extract-sessions.ts";
import {
  emptyTally,
  endRun,
  type PipelineParts,
  type PipelineRun,
} from "./phases/pipeline-parts.ts";
import { safeSentence } from "./phases/safe-sentence.ts";
import { registerSessions } from "./phases/register-sessions.ts";

export interface RunPipelineInput extends PipelineParts {
  /** What began it: the start of a session, or a person who waits for it. */
  readonly trigger: "start" | "now";
}

/**
 * Registers sessions, reads those that are due, and brings the memory up to date. Whatever is done is done whole, so that
 * the next run goes on where this one ended, however it ended.
 * @throws what the store or the sources throw; a failure of the model is in the report
 */
export async function runPipeline(input: RunPipelineInput): Promise<PipelineReport> {
  const { store, project, trigger, clock, signal } = input;
  const startedMs = clock.nowMs();
  const runId = store.ledger.begin({ project, trigger, nowMs: startedMs });
  const run: PipelineRun = { ...input, runId, tally: emptyTally() };
  try {
    run.tally.notices.push(...(await registerSessions(run)));
    await extractSessions(run);
    await consolidate(run);
  } catch (error) {
    // It is thrown on, but whoever looks at the runs later is to see why this one ended.
    endRun(run, { outcome: "failed", reason: await safeSentence(classifyError(error).sentence) });
    closeRun(run, startedMs);
    throw error;
  }
  if (signal?.aborted === true) endRun(run, { outcome: "stopped", reason: INTERRUPTED[trigger] });
  const report = closeRun(run, startedMs);
  for (const sentence of report.notices) input.onEvent?.({ type: "notice", sentence });
  return report;
}

const INTERRUPTED = {
  start: "the conversation ended before it was done",
  now: "you interrupted it",
} as const;

function closeRun(run: PipelineRun, startedMs: number): PipelineReport {
  const report = reportOf(run, startedMs);
  const { outcome, reason, sessionsRead, sessionsFailed } = report;
  const hasConsolidated = report.generation !== undefined;
  const end = { outcome, reason, sessionsRead, sessionsFailed, hasConsolidated };
  run.store.ledger.end(run.runId, { ...end, nowMs: run.clock.nowMs() });
  return report;
}

function reportOf({ tally, clock }: PipelineRun, startedMs: number): PipelineReport {
  const { sessionsRead, sessionsFailed, requests, inputTokens, outputTokens } = tally;
  return {
    outcome: outcomeOf(tally),
    reason: tally.end?.reason ?? failedReason(tally),
    sessionsRead,
    sessionsFailed,
    generation: tally.generation,
    requests,
    inputTokens,
    outputTokens,
    elapsedMs: clock.nowMs() - startedMs,
    notices: [...tally.notices],
  };
}

function outcomeOf(tally: PipelineRun["tally"]): RunOutcome {
  if (tally.end !== undefined) return tally.end.outcome;
  if (tally.sessionsRead > 0 || tally.generation !== undefined) return "done";
  return tally.sessionsFailed > 0 ? "failed" : "nothing-new";
}

function failedReason({ sessionsFailed }: PipelineRun["tally"]): string | undefined {
  if (sessionsFailed === 0) return undefined;
  const sessions = sessionsFailed === 1 ? "1 session" : `${sessionsFailed} sessions`;
  return `${sessions} could not be read`;
}

import { requireArguments } from "@caliban/common";
import { classifyError } from "../../run/classify-error.ts";
import type { PipelineReport } from "../../run/pipeline-report.ts";
import type { RunOutcome } from "../../store/pipeline-store.ts";
import { consolidate } from "./consolidate.ts";
import { extractSessions } from "./extract-sessions.ts";
import { endRun, type PipelineRun, type RunPipelineInput, startRun } from "./pipeline-run.ts";
import { safeMessage } from "./record-failure.ts";
import { registerSessions } from "./register-sessions.ts";

/**
 * Registers sessions, extracts from those that are due, and consolidates the results into a new generation. Every step is
 * atomic, so that the next run continues where this one ended, however it ended.
 * @throws what the store or the sources throw; a failure of the model is in the report
 * @example
 * ```ts
 * import { createRuleModel } from "@caliban/autonomous-memory";
 * import {
 *   calibanSource,
 *   createGenerations,
 *   openPipelineStore,
 *   runPipeline,
 * } from "@caliban/autonomous-memory/node";
 *
 * const store = await openPipelineStore({ path: "state/memories.sqlite" });
 * const report = await runPipeline({
 *   project: "my-app",
 *   store,
 *   generations: createGenerations({ directory: "autonomous" }),
 *   sources: [calibanSource({ directory: "sessions" })],
 *   model: createRuleModel(),
 * });
 * store.close();
 * console.log(report.outcome); // "nothing-new": there are no sessions yet
 * ```
 */
export async function runPipeline(input: RunPipelineInput): Promise<PipelineReport> {
  requireArguments("runPipeline", input, ["project", "store", "generations", "sources", "model"]);
  const run = startRun(input);
  try {
    run.tally.notices.push(...(await registerSessions(run)));
    await extractSessions(run);
    await consolidate(run);
  } catch (error) {
    // Recorded before it is rethrown, so that the statistics show why this run ended.
    endRun(run, { outcome: "failed", reason: await safeMessage(classifyError(error).message) });
    closeRun(run);
    throw error;
  }
  if (run.signal?.aborted === true)
    endRun(run, { outcome: "stopped", reason: INTERRUPTED[run.trigger] });
  const report = closeRun(run);
  for (const notice of report.notices) run.onEvent?.({ type: "notice", notice });
  return report;
}

const INTERRUPTED = {
  start: "the conversation ended before it was done",
  now: "interrupted by you",
} as const;

function closeRun(run: PipelineRun): PipelineReport {
  const report = reportOf(run);
  const { outcome, reason, sessionsRead, sessionsFailed } = report;
  const hasConsolidated = report.generation !== undefined;
  const end = { outcome, reason, sessionsRead, sessionsFailed, hasConsolidated };
  run.store.ledger.end(run.runId, { ...end, nowMs: run.clock.nowMs() });
  return report;
}

function reportOf({ tally, clock, startedMs }: PipelineRun): PipelineReport {
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

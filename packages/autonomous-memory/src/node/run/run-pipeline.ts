import { INTERRUPTED } from "../../run/interrupted.ts";
import { requireArguments } from "@caliban/common";
import { classifyError } from "../../run/classify-error.ts";
import type { PipelineReport, RunOutcome } from "../../run/pipeline-report.ts";
import { consolidate } from "./consolidate.ts";
import { extractSessions } from "./extract-sessions.ts";
import { endRun, type PipelineRun, type RunPipelineInput, startRun } from "./pipeline-run.ts";
import { safeMessage } from "./record-failure.ts";
import { rereadExcluded } from "./remove-forgotten.ts";
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
    rereadExcluded(run);
    await extractSessions(run);
    await consolidate(run);
  } catch (error) {
    // Recorded before it is rethrown, so that the statistics show why this run ended.
    const reason = await safeMessage(classifyError(error).message);
    endRun(run, { outcome: "failed", reason, reasonCode: "CRASHED" });
    closeRun(run);
    throw error;
  }
  if (run.signal?.aborted === true)
    endRun(run, {
      outcome: "stopped",
      reason: INTERRUPTED[run.trigger],
      reasonCode: "INTERRUPTED",
    });
  const report = closeRun(run);
  for (const notice of report.notices) run.onEvent?.({ type: "notice", notice });
  return report;
}

function closeRun(run: PipelineRun): PipelineReport {
  const report = reportOf(run);
  const hasConsolidated = report.generation !== undefined;
  run.store.ledger.end(run.runId, { ...report, hasConsolidated, nowMs: run.clock.nowMs() });
  return report;
}

function reportOf({ tally, clock, startedMs }: PipelineRun): PipelineReport {
  const { sessionsRead, sessionsFailed, requests, inputTokens, outputTokens } = tally;
  return {
    outcome: outcomeOf(tally),
    ...reasonOf(tally),
    sessionsRead,
    sessionsFailed,
    ...(tally.forgotten === 0 ? {} : { forgotten: tally.forgotten }),
    ...(tally.held === 0 ? {} : { held: tally.held }),
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

function reasonOf({
  end,
  sessionsFailed,
}: PipelineRun["tally"]): Pick<PipelineReport, "reason" | "reasonCode"> {
  if (end !== undefined) return { reason: end.reason, reasonCode: end.reasonCode };
  if (sessionsFailed === 0) return { reason: undefined };
  const sessions = sessionsFailed === 1 ? "1 session" : `${sessionsFailed} sessions`;
  return { reason: `${sessions} could not be read`, reasonCode: "SESSIONS_FAILED" };
}

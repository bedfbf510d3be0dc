import type { PipelineReport } from "./pipeline-report.ts";

/** The report of a run that did nothing. */
export function emptyReport(
  outcome: PipelineReport["outcome"],
  reason: string,
): PipelineReport & { readonly reason: string } {
  return {
    outcome,
    reason,
    sessionsRead: 0,
    sessionsFailed: 0,
    requests: 0,
    inputTokens: 0,
    outputTokens: 0,
    elapsedMs: 0,
    notices: [],
  };
}

import type { DueQuery, Extractor } from "@caliban/autonomous-memory";
import type { PipelineJob } from "./pipeline-job.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

export interface SessionQueryInput extends Pick<PipelineJob, "settings" | "sources"> {
  readonly project: string;
  readonly nowMs: number;
  /** Sessions that are going on. */
  readonly running: readonly string[];
  readonly extractor: Extractor;
}

/** Which sessions are meant by "due", for those who look and do nothing. */
export function sessionQuery(input: SessionQueryInput): DueQuery {
  const { project, nowMs, running, extractor, settings, sources } = input;
  return {
    project,
    sources,
    nowMs,
    idleSinceMs: nowMs - settings.minRolloutIdleHours * HOUR_MS,
    notBeforeMs: nowMs - settings.maxRolloutAgeDays * DAY_MS,
    running,
    extractor,
  };
}

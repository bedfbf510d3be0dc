import type { PipelineSettings } from "../run/settings.ts";
import type { DueQuery } from "./pipeline-store.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

export interface DueQueryInput extends Omit<DueQuery, "idleSinceMs" | "notBeforeMs"> {
  readonly settings: Pick<PipelineSettings, "minRolloutIdleHours" | "maxRolloutAgeDays">;
}

/** Which sessions are due at a given time, for runs and for statistics alike. */
export function dueQuery({ settings, ...query }: DueQueryInput): DueQuery {
  const { nowMs, project, sources, running, extractor } = query;
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

import type { PipelineSettings } from "../settings.ts";
import type { DueQuery } from "./pipeline-store.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

export interface DueQueryInput extends Omit<DueQuery, "idleSinceMs" | "notBeforeMs"> {
  readonly settings: Pick<PipelineSettings, "minRolloutIdleHours" | "maxRolloutAgeDays">;
}

/** What "due" means at a moment, for those who read sessions and for those who only look. */
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

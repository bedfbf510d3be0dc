import type { PipelineFacts } from "../data.ts";

/** What learning cost on one day. */
export interface PipelineDay {
  /** `2026-11-19`, in UTC. */
  readonly day: string;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly sessions: number;
  /** Why its last failed run failed, if one did. */
  readonly failure: string | undefined;
}

export interface PipelineView extends Omit<PipelineFacts, "runs" | "nowMs"> {
  /** The last days, oldest first, with those on which nothing ran; none if nothing ever ran. */
  readonly days: readonly PipelineDay[];
}

const DAY_MS = 86_400_000;

/** How many days the plot shows. */
export const PLOT_DAYS = 30;

export function pipelineView({ runs, nowMs, ...facts }: PipelineFacts): PipelineView {
  const byDay = Map.groupBy(runs, ({ startedAtMs }) => dayOf(startedAtMs));
  const days = Array.from({ length: PLOT_DAYS }, (_, ago) => dayOf(nowMs - ago * DAY_MS));
  if (runs.length === 0) return { ...facts, days: [] };
  return {
    ...facts,
    days: days.toReversed().map((day) => {
      const own = byDay.get(day) ?? [];
      const sum = (count: (run: (typeof own)[number]) => number): number =>
        own.reduce((total, run) => total + count(run), 0);
      return {
        day,
        inputTokens: sum(({ inputTokens }) => inputTokens),
        outputTokens: sum(({ outputTokens }) => outputTokens),
        sessions: sum(({ sessionsRead }) => sessionsRead),
        // Runs are newest first.
        failure: own.find(({ failure }) => failure !== undefined)?.failure,
      };
    }),
  };
}

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

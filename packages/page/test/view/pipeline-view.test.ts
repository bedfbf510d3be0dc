import { expect, it } from "vitest";
import { PLOT_DAYS, pipelineView } from "../../src/view/pipeline-view.ts";

const DAY_MS = 86_400_000;
const NOW = Date.UTC(2026, 10, 19, 12);

const FACTS = {
  nowMs: NOW,
  off: undefined,
  tokensInAll: 0,
  tokensToday: 0,
  dailyTokenBudget: 1,
  waiting: 0,
  problems: [],
};

function run(startedAtMs: number, inputTokens: number, failure?: string) {
  return { startedAtMs, inputTokens, outputTokens: 1, sessionsRead: 2, failure };
}

it("adds up the runs of each day, and shows days without a run as zero", () => {
  const runs = [run(NOW, 5, "no answer"), run(NOW - 1_000, 7), run(NOW - 2 * DAY_MS, 9)];
  const { days } = pipelineView({ ...FACTS, runs });
  expect(days).toHaveLength(PLOT_DAYS);
  expect(days.slice(-3)).toEqual([
    { day: "2026-11-17", inputTokens: 9, outputTokens: 1, sessions: 2, failure: undefined },
    { day: "2026-11-18", inputTokens: 0, outputTokens: 0, sessions: 0, failure: undefined },
    { day: "2026-11-19", inputTokens: 12, outputTokens: 2, sessions: 4, failure: "no answer" },
  ]);
});

it("leaves out the plot before anything ran", () => {
  expect(pipelineView({ ...FACTS, runs: [] }).days).toEqual([]);
});

import type { KnownGeneration, MemoryPageData, PipelineFacts } from "@caliban/page";
import type { Invocation } from "../../command.ts";
import { collectStats, type LearnedStats } from "../memory/learned/stats.ts";
import { openLearned, withMemoryErrors } from "../memory/learned/open-learned.ts";
import { refused } from "./or-refused.ts";

type LearnedData = Pick<
  MemoryPageData,
  "generations" | "generation" | "undoGeneration" | "pipeline"
>;

/** What was learned from past sessions, and what that cost. */
export function createLearnedData(invocation: Invocation): LearnedData {
  const directory = async (forWriting: boolean): Promise<string> =>
    (await openLearned(invocation, { forWriting })).location.directory;
  const generations = async (): Promise<readonly KnownGeneration[]> => {
    const { listGenerations } = await import("@caliban/autonomous-memory/node");
    const path = await directory(false);
    return await withMemoryErrors(() => listGenerations(path));
  };
  return {
    generations,
    generation: async (number) => {
      const { readGenerationFiles } = await import("@caliban/autonomous-memory/node");
      const path = await directory(false);
      return await withMemoryErrors(() => readGenerationFiles(path, number));
    },
    undoGeneration: async (number) => {
      const known = await generations();
      const current = known.find(({ isCurrent }) => isCurrent);
      if (current?.number !== number)
        return refused(`generation ${number} is no longer the current one`);
      const { createGenerations } = await import("@caliban/autonomous-memory/node");
      const path = await directory(true);
      const restored = await withMemoryErrors(() => createGenerations({ directory: path }).undo());
      return { kind: "done", message: `new sessions use generation ${restored} again` };
    },
    pipeline: async () => {
      const learned = await openLearned(invocation);
      return toFacts(await collectStats(invocation, learned));
    },
  };
}

/** How many runs are looked at, which is more than the plot shows. */
const MAX_RUNS = 200;

function toFacts({ off, nowMs, stats, settings, problem, rejected }: LearnedStats): PipelineFacts {
  const { runs = [], failures = [], spentInAll, spentToday, sessions } = stats ?? {};
  const tokens = (spent: typeof spentInAll): number =>
    spent === undefined ? 0 : spent.inputTokens + spent.outputTokens;
  return {
    nowMs,
    off,
    runs: runs.slice(0, MAX_RUNS).map((run) => ({
      startedAtMs: run.startedAtMs,
      inputTokens: run.spent.inputTokens,
      outputTokens: run.spent.outputTokens,
      sessionsRead: run.sessionsRead,
      failure: run.outcome === "failed" ? (run.reason ?? "it failed") : undefined,
    })),
    tokensInAll: tokens(spentInAll),
    tokensToday: tokens(spentToday),
    dailyTokenBudget: settings.dailyTokenBudget,
    waiting: (sessions?.due ?? 0) + (sessions?.waiting ?? 0),
    problems: [
      ...(off === undefined && problem !== undefined ? [problem.message] : []),
      ...(rejected === undefined
        ? []
        : [
            `generation ${rejected.number} was rejected, because it finds less than the current one`,
          ]),
      ...failures.map(({ message, threadId }) =>
        threadId === undefined ? message : `session ${threadId}: ${message}`,
      ),
    ],
  };
}

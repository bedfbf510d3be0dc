import type { RunStats } from "@caliban/autonomous-memory";
import { MemoryError } from "@caliban/memory";
import type { Invocation } from "../../command.ts";
import type { OffReason } from "../../pipeline/why-off.ts";
import { openLearned } from "../memory/learned/open-learned.ts";
import { formatQueue, missingGeneration, type StatsFacts } from "../memory/learned/render-stats.ts";
import { collectStats } from "../memory/learned/stats.ts";
import { modelRemedy } from "./check-model.ts";
import { type Check, note, ok, problem } from "./check.ts";

const ABOUT = "learning";

/**
 * Checks whether caliban learns from past sessions, and how the last run went.
 * @throws MemoryError when no home directory is known
 */
export async function checkPipeline(invocation: Invocation): Promise<Check> {
  const learned = await openLearned(invocation);
  if (learned.off !== undefined) return note(ABOUT, formatOff(learned.off));
  try {
    return checkStats(await collectStats(invocation, learned), learned.formatPath);
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
    const path = learned.formatPath(learned.location.stateFile);
    return problem(ABOUT, error.message, `ls -l ${path}`);
  }
}

function formatOff({ kind, message }: OffReason): string {
  return kind === "disabled"
    ? "off. To learn from past sessions: caliban settings set memories.enabled true"
    : `off: ${message}`;
}

function checkStats(facts: StatsFacts, formatPath: (path: string) => string): Check {
  const { problem: modelProblem, stats, settings, current } = facts;
  if (modelProblem !== undefined)
    return problem(
      ABOUT,
      `no model to read past sessions with: ${modelProblem.message}`,
      modelRemedy(modelProblem),
    );
  const lost = current === undefined ? undefined : missingGeneration(current);
  if (lost !== undefined)
    return problem(ABOUT, `${formatPath(facts.directory)}: ${lost}`, SEE_STATS);
  if (stats === undefined) return ok(ABOUT, "on; starts with the next conversation on a terminal");
  const last = stats.runs.find(({ outcome }) => outcome !== "nothing-new");
  if (last?.outcome === "failed")
    return problem(ABOUT, `the last run failed: ${last.reason ?? "unknown reason"}`, SEE_STATS);
  const queue = formatQueue(stats.sessions, settings);
  const message = `on, in ${formatPath(facts.directory)}; sessions: ${queue}`;
  const delay = delayOf(stats.runs);
  if (delay !== undefined) return note(ABOUT, `${message}. ${delay}`, SEE_STATS);
  return stats.failures.length === 0 ? ok(ABOUT, message) : note(ABOUT, message, SEE_STATS);
}

const SEE_STATS = "caliban memory stats";

/** Why the last run did not finish, unless the user stopped it. */
function delayOf([last]: readonly RunStats[]): string | undefined {
  if (last?.reason === undefined) return undefined;
  if (last.outcome === "skipped") return `The last run was skipped: ${last.reason}`;
  const isOverBudget = last.outcome === "stopped" && last.reason.includes("budget");
  return isOverBudget ? `The last run stopped: ${last.reason}` : undefined;
}

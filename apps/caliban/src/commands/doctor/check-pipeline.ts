import { formatQueue, missingGeneration, type RunStats } from "@caliban/autonomous-memory";
import { MemoryError } from "@caliban/memory";
import type { Invocation } from "../../command.ts";
import type { OffReason } from "../../pipeline/why-off.ts";
import { COMMANDS, openLearned } from "../memory/learned/open-learned.ts";
import { collectStats, type LearnedStats } from "../memory/learned/stats.ts";
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

function checkStats(facts: LearnedStats, formatPath: (path: string) => string): Check {
  const { problem: modelProblem, stats, settings, current } = facts;
  if (modelProblem !== undefined)
    return problem(
      ABOUT,
      `no model to read past sessions with: ${modelProblem.message}`,
      modelRemedy(modelProblem),
    );
  const lost = current === undefined ? undefined : missingGeneration(current, COMMANDS);
  if (lost !== undefined)
    return problem(ABOUT, `${formatPath(facts.directory)}: ${lost}`, COMMANDS.stats);
  if (stats === undefined) return ok(ABOUT, "on; starts with the next conversation on a terminal");
  const last = stats.runs.find(({ outcome }) => outcome !== "nothing-new");
  if (last?.outcome === "failed")
    return problem(
      ABOUT,
      `the last run failed: ${last.reason ?? "unknown reason"}`,
      COMMANDS.stats,
    );
  const queue = formatQueue(stats.sessions, { settings, commands: COMMANDS });
  const message = `on, in ${formatPath(facts.directory)}; sessions: ${queue}`;
  const delay = delayOf(stats.runs);
  if (delay !== undefined) return note(ABOUT, `${message}. ${delay}`, COMMANDS.stats);
  return stats.failures.length === 0 ? ok(ABOUT, message) : note(ABOUT, message, COMMANDS.stats);
}

/** Why the last run did not finish, unless the user stopped it. */
function delayOf([last]: readonly RunStats[]): string | undefined {
  if (last?.reason === undefined) return undefined;
  if (last.outcome === "skipped") return `The last run was skipped: ${last.reason}`;
  return last.reasonCode === "BUDGET" ? `The last run stopped: ${last.reason}` : undefined;
}

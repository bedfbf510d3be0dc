import type { RunStats } from "@caliban/autonomous-memory";
import { MemoryError } from "@caliban/memory";
import type { Invocation } from "../../command.ts";
import { openLearned } from "../memory/learned/open-learned.ts";
import {
  missingGeneration,
  formatQueue,
  type StatsFacts,
  withoutPeriod,
} from "../memory/learned/render-stats.ts";
import { collectStats } from "../memory/learned/stats.ts";
import { modelRemedy } from "./check-model.ts";
import { type Check, note, ok, problem } from "./check.ts";

const ABOUT = "learning";

/**
 * Whether past sessions are learned from, and how that went last.
 * @throws MemoryError when no home is known
 */
export async function checkPipeline(invocation: Invocation): Promise<Check> {
  const pipeline = await openLearned(invocation);
  if (pipeline.off !== undefined)
    return note(ABOUT, `Nothing is learned from past sessions: ${pipeline.off.message}.`);
  try {
    return judge(await collectStats(invocation, pipeline), pipeline.formatPath);
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
    return problem(
      ABOUT,
      `${error.message}.`,
      `ls -l ${pipeline.formatPath(pipeline.location.stateFile)}`,
    );
  }
}

function judge(facts: StatsFacts, shown: (path: string) => string): Check {
  const { problem: missing, stats, settings, current } = facts;
  if (missing !== undefined)
    return problem(
      ABOUT,
      `There is no model to read past sessions with: ${missing.message}`,
      modelRemedy(missing),
    );
  const lost = current === undefined ? undefined : missingGeneration(current);
  if (lost !== undefined)
    return problem(ABOUT, `In ${shown(facts.directory)}: ${lost}.`, "caliban memory stats");
  if (stats === undefined)
    return ok(ABOUT, `On; it begins with the next conversation on a terminal.`);
  const last = stats.runs.find(({ outcome }) => outcome !== "nothing-new");
  const isFailed = last?.outcome === "failed";
  if (isFailed)
    return problem(
      ABOUT,
      `The last run failed: ${withoutPeriod(last.reason ?? "no reason is known")}.`,
      "caliban memory stats",
    );
  const sentence = `On, in ${shown(facts.directory)}; sessions: ${formatQueue(stats.sessions, settings)}.`;
  const held = heldUp(stats.runs);
  if (held !== undefined) return note(ABOUT, `${sentence} ${held}`, "caliban memory stats");
  return stats.failures.length === 0
    ? ok(ABOUT, sentence)
    : note(ABOUT, sentence, "caliban memory stats");
}

/** What kept the last run from its end, where that was not the person. */
function heldUp([last]: readonly RunStats[]): string | undefined {
  if (last?.reason === undefined) return undefined;
  if (last.outcome === "skipped") return `The last run was skipped: ${withoutPeriod(last.reason)}.`;
  const isBudget = last.outcome === "stopped" && last.reason.includes("budget");
  return isBudget ? `The last run stopped: ${withoutPeriod(last.reason)}.` : undefined;
}

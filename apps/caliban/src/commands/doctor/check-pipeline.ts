import { MemoryError } from "@caliban/memory";
import type { Invocation } from "../../command.ts";
import { openPipeline } from "../pipeline/open-pipeline.ts";
import { queueWords, type StatsFacts } from "../pipeline/render-stats.ts";
import { collectFacts } from "../pipeline/stats.ts";
import { type Check, note, ok, problem } from "./check.ts";

const ABOUT = "learning";

/**
 * Whether past sessions are learned from, and how that went last.
 * @throws MemoryError when no home is known
 */
export async function checkPipeline(invocation: Invocation): Promise<Check> {
  const pipeline = await openPipeline(invocation);
  if (pipeline.off !== undefined)
    return note(ABOUT, `Nothing is learned from past sessions: ${pipeline.off.sentence}.`);
  try {
    return judge(await collectFacts(invocation, pipeline));
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
    return problem(ABOUT, `${error.message}.`, `ls -l ${pipeline.shown(pipeline.place.stateFile)}`);
  }
}

function judge({ problem: missing, stats, settings, directory }: StatsFacts): Check {
  if (missing !== undefined)
    return problem(
      ABOUT,
      `There is no model to read past sessions with: ${missing}`,
      "caliban doctor --model provider/model",
    );
  if (stats === undefined)
    return ok(ABOUT, `On; it begins with the next conversation on a terminal.`);
  const last = stats.runs.find(({ outcome }) => outcome !== "nothing-new");
  const isFailed = last?.outcome === "failed";
  if (isFailed)
    return problem(
      ABOUT,
      `The last run failed: ${last.reason ?? "no reason is known"}.`,
      "caliban memory stats",
    );
  const sentence = `On, in ${directory}; sessions: ${queueWords(stats.sessions, settings)}.`;
  return stats.failures.length === 0
    ? ok(ABOUT, sentence)
    : note(ABOUT, sentence, "caliban memory stats");
}

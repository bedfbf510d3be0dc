import { formatQueue, missingGeneration, type RunStats } from "@caliban/autonomous-memory";
import { spellCommands, type SpellCommand } from "@caliban/common";
import { isMemoryError } from "@caliban/memory";
import type { Invocation } from "../../command.ts";
import type { Host } from "../../host.ts";
import type { OffReason } from "../../pipeline/why-off.ts";
import { learnedCommands, openLearned } from "../memory/learned/open-learned.ts";
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
  if (learned.off !== undefined) return note(ABOUT, formatOff(learned.off, invocation.host));
  try {
    return checkStats(await collectStats(invocation, learned), {
      formatPath: learned.formatPath,
      command: invocation.host.command,
    });
  } catch (error) {
    if (!isMemoryError(error)) throw error;
    const path = learned.formatPath(learned.location.stateFile);
    return problem(ABOUT, spellCommands(error, invocation.host.command), `ls -l ${path}`);
  }
}

function formatOff({ kind, message }: OffReason, { command }: Host): string {
  return kind === "disabled"
    ? `off. To learn from past sessions: ${command("settings set memories.enabled true")}`
    : `off: ${message}`;
}

interface CheckInput {
  readonly formatPath: (path: string) => string;
  readonly command: SpellCommand;
}

function checkStats(facts: LearnedStats, { formatPath, command }: CheckInput): Check {
  const commands = learnedCommands(command);
  const { problem: modelProblem, stats, settings, current } = facts;
  if (modelProblem !== undefined)
    return problem(
      ABOUT,
      `no model to read past sessions with: ${spellCommands(modelProblem, command)}`,
      modelRemedy(modelProblem, { command }),
    );
  const lost = current === undefined ? undefined : missingGeneration(current, commands);
  if (lost !== undefined)
    return problem(ABOUT, `${formatPath(facts.directory)}: ${lost}`, commands.stats);
  if (stats === undefined) return ok(ABOUT, "on; starts with the next conversation on a terminal");
  const last = stats.runs.find(({ outcome }) => outcome !== "nothing-new");
  if (last?.outcome === "failed")
    return problem(
      ABOUT,
      `the last run failed: ${last.reason ?? "unknown reason"}`,
      commands.stats,
    );
  const queue = formatQueue(stats.sessions, { settings, commands });
  const message = `on, in ${formatPath(facts.directory)}; sessions: ${queue}`;
  const delay = delayOf(stats.runs);
  if (delay !== undefined) return note(ABOUT, `${message}. ${delay}`, commands.stats);
  return stats.failures.length === 0 ? ok(ABOUT, message) : note(ABOUT, message, commands.stats);
}

/** Why the last run did not finish, unless the user stopped it. */
function delayOf([last]: readonly RunStats[]): string | undefined {
  if (last?.reason === undefined) return undefined;
  if (last.outcome === "skipped") return `The last run was skipped: ${last.reason}`;
  return last.reasonCode === "BUDGET" ? `The last run stopped: ${last.reason}` : undefined;
}

import { extractorOf, renderStats, type StatsFacts } from "@caliban/autonomous-memory";
import { spellCommands, terminalSafeJson } from "@caliban/common";
import type { UseCounts } from "@caliban/memory";
import type { ModelDiagnostic } from "@caliban/providers";
import type { CommandResult, Invocation } from "../../../command.ts";
import { EXIT } from "../../../exit-code.ts";
import { isLocalModel } from "../../../pipeline/pipeline-model.ts";
import { planJob } from "../../../pipeline/plan-job.ts";
import { readUses, renderUses, usesJson } from "../uses.ts";
import {
  learnedCommands,
  type OpenLearned,
  openLearned,
  withMemoryErrors,
} from "./open-learned.ts";

/** The state of learning, with the model problem as data. */
export interface LearnedStats extends StatsFacts {
  readonly problem: ModelDiagnostic | undefined;
}

/** `caliban memory stats`: what was learned, what it cost, and why nothing happens, if nothing does. */
export async function showStats(invocation: Invocation): Promise<CommandResult> {
  const { host } = invocation;
  const learned = await openLearned(invocation);
  const facts = await collectStats(invocation, learned);
  const { counts, problem } = await readUses(learned.project);
  const uses = renderUses(counts, host);
  return {
    stdout: invocation.json
      ? toJson(facts, counts)
      : renderStats(facts, {
          commands: learnedCommands(host.command),
          command: host.command,
          formatPath: learned.formatPath,
          columns: host.columns(),
        }) + (uses === "" ? "" : `\n${uses}`),
    stderr: [...learned.warnings, ...[problem ?? []].flat()],
    exitCode: EXIT.done,
  };
}

/** Collects everything that is known without creating anything. */
export async function collectStats(
  { host }: Pick<Invocation, "host">,
  { project, location, off }: OpenLearned,
): Promise<LearnedStats> {
  const { settings, sources, models, notices } = planJob({ project, trigger: "start" });
  const isByRules = "problem" in models || isLocalModel(models.default);
  const extractor = extractorOf({ isLocal: isByRules });
  const nowMs = host.now();
  const { readProjectStats } = await import("@caliban/autonomous-memory/node");
  const { stats, current, rejected } = await withMemoryErrors(() =>
    readProjectStats({ ...location, settings, sources, nowMs, extractor }),
  );
  return {
    off: off?.message,
    problem: "problem" in models ? models.problem : undefined,
    notices: notices.map((notice) => spellCommands(notice, host.command)),
    models: "problem" in models ? [] : [models.default.name, models.smol.name],
    isByRules,
    sources,
    stats,
    current,
    rejected,
    directory: location.directory,
    stateFile: location.stateFile,
    nowMs,
    settings,
  };
}

/** The facts under the keys that other programs know. */
function toJson(
  { settings, nowMs, ...facts }: LearnedStats,
  counts: UseCounts | undefined,
): string {
  const { problem, stats, current } = facts;
  const json = {
    ...facts,
    isByRules: undefined,
    problem: problem?.message,
    stats: stats && {
      ...stats,
      runs: stats.runs.map((run) => ({ ...run, reasonCode: undefined })),
      consolidation: renameKey(stats.consolidation, "message", "sentence"),
      failures: stats.failures.map((failure) => renameKey(failure, "message", "sentence")),
    },
    current: current && renameKey(current, "exists", "isThere"),
    dailyTokenBudget: settings.dailyTokenBudget,
    at: new Date(nowMs).toISOString(),
    use: usesJson(counts),
  };
  return `${terminalSafeJson(json)}\n`;
}

function renameKey(value: object, from: string, to: string): unknown {
  const entries = Object.entries(value).map(([key, item]): [string, unknown] => [
    key === from ? to : key,
    item,
  ]);
  return Object.fromEntries(entries);
}

import { dueQuery, extractorOf, type PipelineStats } from "@caliban/autonomous-memory";
import { spellCommands, terminalSafeJson } from "@caliban/common";
import type { CommandResult, Invocation } from "../../../command.ts";
import { EXIT } from "../../../exit-code.ts";
import { isLocalModel } from "../../../pipeline/pipeline-model.ts";
import { planJob } from "../../../pipeline/plan-job.ts";
import { type OpenLearned, openLearned, withStore } from "./open-learned.ts";
import { renderStats, type StatsFacts } from "./render-stats.ts";

/** `caliban memory stats`: what was learned, what it cost, and why nothing happens, if nothing does. */
export async function showStats(invocation: Invocation): Promise<CommandResult> {
  const learned = await openLearned(invocation);
  const facts = await collectStats(invocation, learned);
  return {
    stdout: invocation.json
      ? toJson(facts)
      : renderStats(facts, {
          formatPath: learned.formatPath,
          command: invocation.host.command,
          columns: invocation.host.columns(),
        }),
    stderr: learned.warnings,
    exitCode: EXIT.done,
  };
}

/** Collects everything that is known without creating anything. */
export async function collectStats(
  { host }: Pick<Invocation, "host">,
  { project, location, off }: OpenLearned,
): Promise<StatsFacts> {
  const { settings, sources, models, notices } = planJob({ project, trigger: "start" });
  const nowMs = host.now();
  const { listLockedSessions, readCurrentStatus } = await import("@caliban/autonomous-memory/node");
  const stats = await withStore(location, async ({ admin }): Promise<PipelineStats> => {
    const running = await listLockedSessions(location.sessionsDirectory);
    const isLocal = "problem" in models || isLocalModel(models.default);
    const extractor = extractorOf({ isLocal });
    const query = { settings, sources, project: location.project, nowMs, running, extractor };
    return admin.stats(dueQuery(query));
  });
  return {
    off: off?.message,
    problem: "problem" in models ? models.problem : undefined,
    notices: notices.map((notice) => spellCommands(notice, host.command)),
    models: "problem" in models ? [] : [models.default.name, models.smol.name],
    sources,
    stats,
    current: readCurrentStatus(location.directory),
    directory: location.directory,
    stateFile: location.stateFile,
    nowMs,
    settings,
  };
}

/** The facts under the keys that other programs know. */
function toJson({ settings, nowMs, ...facts }: StatsFacts): string {
  const { problem, stats, current } = facts;
  const json = {
    ...facts,
    problem: problem?.message,
    stats: stats && {
      ...stats,
      consolidation: renameKey(stats.consolidation, "message", "sentence"),
      failures: stats.failures.map((failure) => renameKey(failure, "message", "sentence")),
    },
    current: current && renameKey(current, "exists", "isThere"),
    dailyTokenBudget: settings.dailyTokenBudget,
    at: new Date(nowMs).toISOString(),
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

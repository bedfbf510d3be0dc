import { createRuleModel, dueQuery, type PipelineStats } from "@caliban/autonomous-memory";
import { terminalSafeJson } from "@caliban/common";
import type { CommandResult, Invocation } from "../../../command.ts";
import { EXIT } from "../../../exit-code.ts";
import { listLockedSessions } from "@caliban/autonomous-memory/node";
import { extractorOf } from "../../../pipeline/pipeline-model.ts";
import { planJob } from "../../../pipeline/plan-job.ts";
import { type OpenPipeline, openPipeline, withStore } from "./open-pipeline.ts";
import { renderStats, type StatsFacts } from "./render-stats.ts";

/** `caliban memory stats`: what was learned, what it cost, and why nothing happens, when nothing does. */
export async function showStats(invocation: Invocation): Promise<CommandResult> {
  const pipeline = await openPipeline(invocation);
  const facts = await collectFacts(invocation, pipeline);
  return {
    stdout: invocation.json ? toJson(facts) : renderStats(facts, pipeline.shown),
    stderr: pipeline.warnings,
    exitCode: EXIT.done,
  };
}

/** All that can be known without making anything. */
export async function collectFacts(
  { host }: Pick<Invocation, "host">,
  { project, place, off }: OpenPipeline,
): Promise<StatsFacts> {
  const { settings, sources, models, notices } = planJob({ project, trigger: "start" });
  const nowMs = host.now();
  const stats = await withStore(place, async ({ admin }): Promise<PipelineStats> => {
    const running = await listLockedSessions(place.sessionsDirectory);
    const rules = createRuleModel().extractor;
    const extractor = "problem" in models ? rules : extractorOf(models.default, rules);
    const { project } = place;
    return admin.stats(dueQuery({ settings, sources, project, nowMs, running, extractor }));
  });
  const { readCurrentStatus: readCurrent } = await import("@caliban/autonomous-memory/node");
  return {
    off: off?.sentence,
    problem: "problem" in models ? models.problem : undefined,
    notices,
    models: "problem" in models ? [] : [models.default.name, models.smol.name],
    sources,
    stats,
    current: await readCurrent(place.directory),
    directory: place.directory,
    stateFile: place.stateFile,
    nowMs,
    settings,
  };
}

function toJson({ settings, nowMs, ...facts }: StatsFacts): string {
  const { dailyTokenBudget } = settings;
  return `${terminalSafeJson({ ...facts, dailyTokenBudget, at: new Date(nowMs).toISOString() })}\n`;
}

import { requireArguments } from "@caliban/common";
import { createGenerations } from "../generations/create-generations.ts";
import type { Generations } from "../../generation/generations.ts";
import type { OnNotice } from "../../run/notice.ts";
import { emptyReport } from "../../run/empty-report.ts";
import type { RunReasonCode } from "../../run/pipeline-report.ts";
import { DEFAULT_PIPELINE_SETTINGS } from "../../run/settings.ts";
import { dueQuery } from "../../store/due-query.ts";
import type { DueQuery } from "../../store/pipeline-store.ts";
import type { ProjectRun } from "../../store/pipeline-stats.ts";
import { openPipelineStore } from "../store/open-pipeline-store.ts";
import { systemClock } from "../system-clock.ts";
import type { RunPipelineInput } from "../run/pipeline-run.ts";
import { runPipeline } from "../run/run-pipeline.ts";

export interface RunProjectInput extends Omit<RunPipelineInput, "store" | "generations"> {
  /** The state database, which all projects share. */
  readonly stateFile: string;
  /** The directory of the project's generations. */
  readonly directory: string;
  /** Called before the first write to the directory. */
  readonly prepareDirectory?: (() => Promise<unknown>) | undefined;
  /** Whether to consolidate everything again that was ever learned. */
  readonly isRebuild?: boolean | undefined;
}

/**
 * Runs the pipeline once for a project, from its state on disk to the report.
 * @throws PipelineError `STATE_UNUSABLE`
 */
export async function runProject(input: RunProjectInput): Promise<ProjectRun> {
  requireArguments("runProject", input, ["project", "stateFile", "directory", "sources", "model"]);
  const { project, model, sources, stateFile, trigger = "now", clock = systemClock() } = input;
  const store = await openPipelineStore({ path: stateFile, onNotice: toEvents(input) });
  try {
    const query = (): DueQuery =>
      dueQuery({
        project,
        sources: sources.map(({ name }) => name),
        running: input.running ?? [],
        extractor: model.extractor,
        nowMs: clock.nowMs(),
        settings: { ...DEFAULT_PIPELINE_SETTINGS, ...input.settings },
      });
    const [previous] = store.admin.stats(query()).runs;
    if (input.isRebuild === true) store.admin.enqueue(project, clock.nowMs());
    // A user who waits should not have to wait for retry delays.
    if (trigger === "now") store.admin.expedite(project, clock.nowMs());
    const report = await runPipeline({
      ...input,
      trigger,
      clock,
      store,
      generations: openGenerations(input),
    });
    const lastFailure = previous?.outcome === "failed" ? (previous.reason ?? "") : undefined;
    return { report, counts: store.extractions.count(query()), lastFailure };
  } finally {
    store.close();
  }
}

export type SkipRunInput = Pick<
  RunProjectInput,
  "project" | "stateFile" | "trigger" | "clock" | "onEvent"
> & { readonly reason: string; readonly reasonCode?: RunReasonCode | undefined };

/** Records that a run did nothing, and why. @throws PipelineError `STATE_UNUSABLE` */
export async function skipProjectRun(input: SkipRunInput): Promise<ProjectRun> {
  const { project, stateFile, trigger = "now", clock = systemClock(), reason, reasonCode } = input;
  const store = await openPipelineStore({ path: stateFile, onNotice: toEvents(input) });
  try {
    const nowMs = clock.nowMs();
    const report = { ...emptyReport("skipped", reason), reasonCode };
    const runId = store.ledger.begin({ project, trigger, nowMs });
    store.ledger.end(runId, { ...report, hasConsolidated: false, nowMs });
    return { report };
  } finally {
    store.close();
  }
}

function toEvents({ onEvent }: Pick<RunProjectInput, "onEvent">): OnNotice {
  return (notice) => onEvent?.({ type: "notice", notice });
}

function openGenerations({ directory, prepareDirectory }: RunProjectInput): Generations {
  const generations = createGenerations({ directory });
  return {
    ...generations,
    write: async (generation) => {
      await prepareDirectory?.();
      return await generations.write(generation);
    },
  };
}

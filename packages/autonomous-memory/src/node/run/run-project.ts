import { requireArguments } from "@caliban/common";
import { createGenerations } from "../generations/create-generations.ts";
import type { Generations } from "../../generation/generations.ts";
import type { OnNotice } from "../../run/notice.ts";
import { emptyReport, type PipelineReport } from "../../run/pipeline-report.ts";
import { DEFAULT_PIPELINE_SETTINGS } from "../../run/settings.ts";
import { dueQuery } from "../../store/due-query.ts";
import type { DueCounts, DueQuery, PipelineStore } from "../../store/pipeline-store.ts";
import { openPipelineStore } from "../store/open-pipeline-store.ts";
import { systemClock } from "../system-clock.ts";
import type { RunPipelineInput } from "./pipeline-run.ts";
import { runPipeline } from "./run-pipeline.ts";

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

/** How a run of a project ended. */
export interface ProjectRun {
  readonly report: PipelineReport;
  /** The sessions by state after the run. */
  readonly counts?: DueCounts | undefined;
  /** Why the previous run failed, if it did. */
  readonly lastFailure?: string | undefined;
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
> & { readonly reason: string };

/** Records that a run did nothing, and why. @throws PipelineError `STATE_UNUSABLE` */
export async function skipProjectRun(input: SkipRunInput): Promise<ProjectRun> {
  const { project, stateFile, trigger = "now", clock = systemClock(), reason } = input;
  const store = await openPipelineStore({ path: stateFile, onNotice: toEvents(input) });
  try {
    return { report: recordSkip(store, { project, trigger, nowMs: clock.nowMs(), reason }) };
  } finally {
    store.close();
  }
}

function recordSkip(
  { ledger }: PipelineStore,
  {
    reason,
    ...run
  }: {
    readonly project: string;
    readonly trigger: string;
    readonly nowMs: number;
    readonly reason: string;
  },
): PipelineReport {
  const runId = ledger.begin(run);
  const report = emptyReport("skipped", reason);
  ledger.end(runId, { ...report, hasConsolidated: false, nowMs: run.nowMs });
  return report;
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

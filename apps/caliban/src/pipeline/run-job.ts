import { type CompletionModel, dueQuery, type DueQuery, type Generations, PipelineError, type PipelineEvent, type PipelineReport, type PipelineStore } from "@caliban/autonomous-memory";
import { createGenerations, openPipelineStore, runPipeline, sessionSources, systemClock } from "@caliban/autonomous-memory/node";
import { lockedSessions } from "../../../../packages/autonomous-memory/src/node/sources/locked-sessions.ts";
import { emptyReport, type JobEnd, type PipelineJob } from "./pipeline-job.ts";
import { createPipelineModel } from "./pipeline-model.ts";
import { findLearned, type LearnedLocation } from "../project/locations.ts";
import { abbreviateHome, pathStyleOf } from "@caliban/common";
import { CLAUDE_DIRECTORY, locateMemory } from "@caliban/memory";
import { openTopicStore } from "@caliban/memory/node";

export interface RunJobInput {
  readonly job: PipelineJob;
  /** Who works, for people who look at the queue. */
  readonly worker: string;
  readonly signal: AbortSignal;
  readonly onEvent: (event: PipelineEvent) => void;
}

/** Runs the pipeline once, from its state on disk to the last report. What a person can mend is in the end, too. */
export async function runJob(input: RunJobInput): Promise<JobEnd> {
  const { env, platform, home, workspace } = input.job;
  const place = await findLearned({ env, platform, home, workspace, forWriting: true });
  if (place === undefined)
    return { report: emptyReport("skipped", "no home directory is known; set HOME") };
  try {
    return await runAt(place, input);
  } catch (error) {
    if (!(error instanceof PipelineError)) throw error;
    return { report: emptyReport("failed", error.message) };
  }
}

async function runAt(place: LearnedLocation, input: RunJobInput): Promise<JobEnd> {
  const { job, onEvent } = input;
  const { models } = job;
  const onNotice = (sentence: string): void => onEvent({ type: "notice", sentence });
  const store = await openPipelineStore({ path: place.stateFile, onNotice });
  try {
    if ("problem" in models)
      return { report: skipRun(store, { place, job, reason: models.problem.message }) };
    for (const sentence of job.notices) onNotice(sentence);
    const model = createPipelineModel({ ...job, models, onNotice });
    return await runWith(input, { place, store, model });
  } finally {
    store.close();
  }
}

interface RunParts {
  readonly place: LearnedLocation;
  readonly store: PipelineStore;
  readonly model: CompletionModel;
}

async function runWith(input: RunJobInput, { place, store, model }: RunParts): Promise<JobEnd> {
  const { job, worker, signal, onEvent } = input;
  const { project } = place;
  const { settings } = job;
  const clock = systemClock();
  const running = [...job.running, ...(await lockedSessions(place.sessionsDirectory))];
  const query = (): DueQuery =>
    dueQuery({ ...job, project, running, extractor: model.extractor, nowMs: clock.nowMs() });
  const [before] = store.admin.stats(query()).runs;
  if (job.isRebuilt) store.admin.enqueue(project, clock.nowMs());
  // Whoever waits for it sets the pace.
  if (job.trigger === "now") store.admin.hasten(project, clock.nowMs());
  const report = await runPipeline({
    project,
    trigger: job.trigger,
    store,
    generations: preparedGenerations(place),
    sources: sessionSources({
      ...job,
      workspaceRoot: job.workspace.root,
      sessionsDirectory: place.sessionsDirectory,
    }),
    model,
    clock,
    settings,
    running,
    memoryHomes: await memoryHomes(job, place),
    worker,
    signal,
    onEvent,
  });
  const lastFailure = before?.outcome === "failed" ? (before.reason ?? "") : undefined;
  return { report, counts: store.extractions.count(query()), lastFailure };
}

/** Keeps that nothing was done, and why. */
function skipRun(
  { ledger }: PipelineStore,
  {
    place,
    job,
    reason,
  }: { readonly place: LearnedLocation; readonly job: PipelineJob; readonly reason: string },
): PipelineReport {
  const { nowMs } = systemClock();
  const { project } = place;
  const runId = ledger.begin({ project, trigger: job.trigger, nowMs: nowMs() });
  const report = emptyReport("skipped", `there is no model to read with: ${reason}`);
  ledger.end(runId, { ...report, hasConsolidated: false, nowMs: nowMs() });
  return report;
}

/** The home of a project is made, and written down whose it is, before the first memory is put into it. */
function preparedGenerations({ directory, projectHome }: LearnedLocation): Generations {
  const generations = createGenerations({ directory });
  return {
    ...generations,
    write: async (input) => {
      await projectHome.prepare();
      return await generations.write(input);
    },
  };
}

/** The directories that hold this project's memory, in full and as a shell has them below the home directory. */
export async function memoryHomes(
  job: Pick<PipelineJob, "env" | "platform" | "home" | "workspace" | "memoryDirectory">,
  { project, directory: learned }: Pick<LearnedLocation, "project" | "directory">,
): Promise<readonly string[]> {
  const { platform, home, memoryDirectory } = job;
  const directory =
    memoryDirectory === CLAUDE_DIRECTORY
      ? (await openTopicStore({ ...job, directory: memoryDirectory })).directory
      : memoryDirectory;
  const { memoryDirectory: notes } = locateMemory({ ...job, slug: project, directory });
  const full = notes === undefined ? [learned] : [notes, learned];
  const short = full.map((path) => abbreviateHome(pathStyleOf(platform), path, home));
  return [...new Set([...full, ...short])];
}

import { join } from "node:path";
import {
  emptyReport,
  isPipelineError,
  type OpenSessionReview,
  type ProjectRun,
} from "@caliban/autonomous-memory";
import {
  createSessionSources,
  listLockedSessions,
  runProject,
  skipProjectRun,
  type ThreadRun,
} from "@caliban/autonomous-memory/node";
import { abbreviateHome, pathStyleOf } from "@caliban/common";
import { openInbox, openTopicStore } from "@caliban/memory/node";
import type { ModelRoles } from "@caliban/providers";
import { openProjectForgotten } from "../project/forgotten.ts";
import { findLearned, type LearnedLocation } from "../project/locations.ts";
import { openLearnedReview } from "./learned-review.ts";
import { createPipelineModel } from "./pipeline-model.ts";
import type { PipelineJob } from "./plan-job.ts";

/** Runs the pipeline once. Problems that the user can fix are part of the result. */
export async function runJob(input: ThreadRun<PipelineJob>): Promise<ProjectRun> {
  const { job, onEvent } = input;
  const { models, trigger } = job;
  const location = await findLearned({ ...job, forWriting: true });
  if (location === undefined)
    return { report: emptyReport("skipped", "no home directory found; set HOME") };
  const { project, stateFile } = location;
  try {
    if (!("problem" in models)) return await runAt(location, models, input);
    const reason = `no model available to read sessions: ${models.problem.message}`;
    const skip = { project, stateFile, trigger, onEvent };
    return await skipProjectRun({ ...skip, reason, reasonCode: "NO_MODEL" });
  } catch (error) {
    if (!isPipelineError(error)) throw error;
    return { report: emptyReport("failed", error.message) };
  }
}

async function runAt(
  location: LearnedLocation,
  models: ModelRoles,
  { job, signal, onEvent }: ThreadRun<PipelineJob>,
): Promise<ProjectRun> {
  const { project, projectHome, directory, sessionsDirectory, stateFile } = location;
  for (const notice of job.notices) onEvent({ type: "notice", notice });
  const forgotten = await openProjectForgotten(projectHome.home, job);
  return await runProject({
    project,
    stateFile,
    directory,
    prepareDirectory: projectHome.prepare,
    sources: createSessionSources({
      ...job,
      sessionsDirectory,
      workspaceRoot: job.workspace.root,
    }),
    model: createPipelineModel({
      ...job,
      models,
      onNotice: (notice) => onEvent({ type: "notice", notice }),
    }),
    trigger: job.trigger,
    isRebuild: job.isRebuild,
    settings: job.settings,
    running: [...job.running, ...(await listLockedSessions(sessionsDirectory))],
    memoryDirectories: await memoryDirectories(job, location),
    forgotten,
    review: reviewOf(location, { job, onEvent }),
    exam: { expect: () => expectedAnswers(job), isForgotten: forgotten.isForgotten },
    signal,
    onEvent,
  });
}

/** What a session read must not be learned without the user, unless the user wants everything saved at once. */
function reviewOf(
  { projectHome }: LearnedLocation,
  { job, onEvent }: Pick<ThreadRun<PipelineJob>, "job" | "onEvent">,
): OpenSessionReview | undefined {
  if (!job.reviews) return undefined;
  return openLearnedReview({
    openInbox: async () => {
      await projectHome.prepare();
      return openInbox(join(projectHome.home, "inbox"));
    },
    onLost: (message) =>
      onEvent({
        type: "notice",
        notice: { code: "STATEMENT_LOST", message: `${LOST}: ${message}` },
      }),
  });
}

const LOST = "a statement of a past session was neither learned nor proposed";

/** The `expect` lines of topics that no other topic replaces. */
async function expectedAnswers(job: PipelineJob): Promise<readonly string[]> {
  const { store } = await openTopicStore({ ...job, directory: job.memoryDirectory });
  const { topics } = await store.list();
  const found = await Promise.all(
    topics.slice(0, MAX_TOPICS).map(async ({ slug }) => await store.read(slug)),
  );
  const replaced = new Set<string>(found.flatMap((each) => each?.topic.supersedes ?? []));
  return found.flatMap((each) =>
    each === undefined || replaced.has(each.slug) ? [] : (each.topic.expect ?? []),
  );
}

// The newest ones; reading more would delay the run.
const MAX_TOPICS = 2_000;

/** The directories of this project's memory, absolute and abbreviated with `~` as in shell commands. */
async function memoryDirectories(
  job: PipelineJob,
  { directory: learned }: LearnedLocation,
): Promise<readonly string[]> {
  const { platform, home, memoryDirectory } = job;
  const chosen = { ...job, directory: memoryDirectory, forWriting: true };
  const absolute = [(await openTopicStore(chosen)).directory, learned];
  const short = absolute.map((path) => abbreviateHome(pathStyleOf(platform), path, home));
  return [...new Set([...absolute, ...short])];
}

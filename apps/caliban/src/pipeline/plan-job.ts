import { DEFAULT_PIPELINE_SETTINGS, type PipelineSettings } from "@caliban/autonomous-memory";
import { pipelineSettings } from "@caliban/settings";
import type { Project } from "../project/project.ts";
import { keyValues, type ModelProblem, type ResolvedModel, resolveModel } from "@caliban/providers";
import type { PipelineJob, PipelineModels } from "./pipeline-job.ts";

export interface PlanJobInput {
  readonly project: Project;
  readonly trigger: PipelineJob["trigger"];
  readonly running?: readonly string[];
  readonly isRebuilt?: boolean;
  /** Also sessions that were used a moment ago. */
  readonly withRecent?: boolean;
}

/** Puts together what a run needs to know. Looks at nothing but its arguments. */
export function planJob(input: PlanJobInput): PipelineJob {
  const { project, trigger, running = [], isRebuilt = false } = input;
  const { environment, workspace, settings } = project;
  const { env, platform, home } = environment;
  const { models, notices } = pipelineModels(project);
  return {
    trigger,
    // A plain object: the environment of a process is none that could be handed on.
    env: { ...env },
    platform,
    home,
    workspace,
    settings: settingsOf(input),
    sources: settings.values["memories.sources"],
    memoryDirectory: settings.values["memory.directory"],
    models,
    secrets: keyValues(settings.values.providers, env),
    running,
    isRebuilt,
    notices,
  };
}

/** More than anybody has: who waits for it wants all of it. */
const ALL_SESSIONS = 1_000_000;

/** How much is read; a person who waits sets the pace. */
function settingsOf({ project, trigger, withRecent }: PlanJobInput): PipelineSettings {
  const { settings } = project;
  return {
    ...DEFAULT_PIPELINE_SETTINGS,
    ...pipelineSettings(settings.values),
    ...(trigger === "now" && { maxRolloutsPerStartup: ALL_SESSIONS }),
    ...(withRecent === true && { minRolloutIdleHours: 0 }),
  };
}

/** The models of both roles; where the small one cannot be had, the other does its work, and that is said. */
function pipelineModels({
  environment: { env },
  settings,
}: Pick<Project, "environment" | "settings">): {
  readonly models: PipelineModels | ModelProblem;
  readonly notices: readonly string[];
} {
  const { values } = settings;
  const answering = resolveModel(undefined, { values, env });
  if ("problem" in answering) return { models: answering, notices: [] };
  const small = smallModel(values["models.smol"], answering, () =>
    resolveModel(undefined, { values, env, role: "smol" }),
  );
  if (!("problem" in small)) return { models: { default: answering, smol: small }, notices: [] };
  const notice = `models.smol cannot be had, so ${answering.name} does its work: ${small.problem.message}`;
  return { models: { default: answering, smol: answering }, notices: [notice] };
}

/** Without a name of its own it is the model that answers, window and all. */
function smallModel(
  name: string | undefined,
  answering: ResolvedModel,
  resolve: () => ReturnType<typeof resolveModel>,
): ReturnType<typeof resolveModel> {
  return name === undefined ? answering : resolve();
}

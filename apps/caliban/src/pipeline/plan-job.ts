import {
  DEFAULT_PIPELINE_SETTINGS,
  type PipelineNotice,
  type PipelineSettings,
} from "@caliban/autonomous-memory";
import { withCommands } from "@caliban/common";
import { keyValues, type ModelProblem, resolveModel } from "@caliban/providers";
import { pipelineSettings } from "@caliban/settings";
import type { Project } from "../project/project.ts";
import type { PipelineJob, PipelineModels } from "./pipeline-job.ts";

export interface PlanJobInput {
  readonly project: Project;
  readonly trigger: PipelineJob["trigger"];
  readonly running?: readonly string[];
  readonly isRebuild?: boolean;
  /** Whether to include sessions that were active a moment ago. */
  readonly withRecent?: boolean;
}

/** Collects everything a run needs. Reads nothing but its arguments. */
export function planJob(input: PlanJobInput): PipelineJob {
  const { project, trigger, running = [], isRebuild = false } = input;
  const { environment, workspace, settings } = project;
  const { env, platform, home } = environment;
  const { models, notices } = pipelineModels(project);
  return {
    trigger,
    // Copied, because `process.env` itself cannot be passed to a thread.
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
    isRebuild,
    notices,
  };
}

/** More than anyone has: a user who waits wants all of them. */
const ALL_SESSIONS = 1_000_000;

function settingsOf({ project, trigger, withRecent }: PlanJobInput): PipelineSettings {
  const { settings } = project;
  return {
    ...DEFAULT_PIPELINE_SETTINGS,
    ...pipelineSettings(settings.values),
    ...(trigger === "now" && { maxRolloutsPerStartup: ALL_SESSIONS }),
    ...(withRecent === true && { minRolloutIdleHours: 0 }),
  };
}

/** The models of both roles. If the small one is not available, the other does its work, which is reported. */
function pipelineModels({
  environment: { env },
  settings: { values },
}: Pick<Project, "environment" | "settings">): {
  readonly models: PipelineModels | ModelProblem;
  readonly notices: readonly PipelineNotice[];
} {
  const main = resolveModel(undefined, { values, env });
  if ("problem" in main) return { models: main, notices: [] };
  // Without a name of its own, the small model is the main one, including its context window.
  const isNamed = values["models.smol"] !== undefined;
  const smol = isNamed ? resolveModel(undefined, { values, env, role: "smol" }) : main;
  if (!("problem" in smol)) return { models: { default: main, smol }, notices: [] };
  const message = withCommands`models.smol is not available; using ${main.name} instead: ${smol.problem}`;
  return {
    models: { default: main, smol: main },
    notices: [{ code: "MODEL_UNAVAILABLE", ...message }],
  };
}

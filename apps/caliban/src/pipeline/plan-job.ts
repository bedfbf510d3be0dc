import {
  DEFAULT_PIPELINE_SETTINGS,
  type PipelineNotice,
  type PipelineSettings,
} from "@caliban/autonomous-memory";
import { type Environment, withCommands } from "@caliban/common";
import type { Workspace } from "@caliban/memory/node";
import { type ModelProblem, type ModelRoles, resolveRoles } from "@caliban/providers";
import { type MemorySourceName, pipelineSettings } from "@caliban/settings";
import type { Project } from "../project/project.ts";
import { secretValues } from "../project/secret-variables.ts";

/** Everything a run needs, as plain data that can be passed to a thread. */
export interface PipelineJob {
  readonly trigger: "start" | "now";
  readonly env: Environment;
  readonly platform: string;
  readonly home: string | undefined;
  readonly workspace: Workspace;
  readonly settings: PipelineSettings;
  readonly sources: readonly MemorySourceName[];
  /** `[memory] directory` in the user's own settings. */
  readonly memoryDirectory: string | undefined;
  /** Whether what a session only read waits in the inbox. */
  readonly reviews: boolean;
  /** The models that read sessions (`default`) and maintain the memory (`smol`). */
  readonly models: ModelRoles | ModelProblem;
  /** Keys, to be masked wherever a provider repeats them. */
  readonly secrets: readonly string[];
  /** Sessions in progress, in addition to the locked ones. */
  readonly running: readonly string[];
  /** Whether to consolidate everything again that was ever learned. */
  readonly isRebuild: boolean;
  /** Reported whatever the outcome. */
  readonly notices: readonly PipelineNotice[];
}

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
  const { values } = project.settings;
  const { env, platform, home } = project.environment;
  const models = resolveRoles({ values, env });
  return {
    trigger,
    // Copied, because `process.env` itself cannot be passed to a thread.
    env: { ...env },
    platform,
    home,
    workspace: project.workspace,
    settings: settingsOf(input),
    sources: values["memories.sources"],
    memoryDirectory: values["memory.directory"],
    reviews: values["memory.write"] !== "allow",
    models,
    secrets: secretValues(project.settings, env),
    running,
    isRebuild,
    notices: "problem" in models ? [] : modelNotices(models),
  };
}

/** More than anyone has: a user who waits wants all of them. */
const ALL_SESSIONS = 1_000_000;

function settingsOf({ project, trigger, withRecent }: PlanJobInput): PipelineSettings {
  return {
    ...DEFAULT_PIPELINE_SETTINGS,
    ...pipelineSettings(project.settings.values),
    ...(trigger === "now" && { maxRolloutsPerStartup: ALL_SESSIONS }),
    ...(withRecent === true && { minRolloutIdleHours: 0 }),
  };
}

function modelNotices({ default: main, smolProblem }: ModelRoles): readonly PipelineNotice[] {
  if (smolProblem === undefined) return [];
  const message = withCommands`models.smol is not available; using ${main.name} instead: ${smolProblem}`;
  return [{ code: "MODEL_UNAVAILABLE", ...message }];
}

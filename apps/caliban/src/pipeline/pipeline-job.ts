import type { PipelineEvent, PipelineNotice, PipelineSettings } from "@caliban/autonomous-memory";
import type { ProjectRun } from "@caliban/autonomous-memory/node";
import type { Environment } from "@caliban/common";
import type { Workspace } from "@caliban/memory/node";
import type { ModelProblem, ResolvedModel } from "@caliban/providers";
import type { MemorySourceName } from "@caliban/settings";

/** The models that read sessions (`default`) and maintain the memory (`smol`). */
export interface PipelineModels {
  readonly default: ResolvedModel;
  readonly smol: ResolvedModel;
}

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
  readonly models: PipelineModels | ModelProblem;
  /** Keys, to be masked wherever a provider repeats them. */
  readonly secrets: readonly string[];
  /** Sessions in progress, in addition to the locked ones. */
  readonly running: readonly string[];
  /** Whether to consolidate everything again that was ever learned. */
  readonly isRebuild: boolean;
  /** Reported whatever the outcome. */
  readonly notices: readonly PipelineNotice[];
}

/** Why a run is skipped without a model, as it is stored. */
export function noModelReason({ problem }: ModelProblem): string {
  return `no model available to read sessions: ${problem.message}`;
}

/** A message from the thread of the pipeline. */
export type WorkerMessage =
  | { readonly type: "event"; readonly event: PipelineEvent }
  | { readonly type: "end"; readonly end: ProjectRun };

/** A message to the thread: release everything and end soon. */
export type WorkerOrder = "stop";

import type { DueCounts, PipelineReport, PipelineSettings } from "@caliban/autonomous-memory";
import type { Environment } from "@caliban/common";
import type { Workspace } from "@caliban/memory/node";
import type { MemorySourceName } from "@caliban/settings";
import type { ModelProblem, ResolvedModel } from "@caliban/providers";

/** Who reads sessions, and who keeps the memory that comes of them. */
export interface PipelineModels {
  readonly default: ResolvedModel;
  readonly smol: ResolvedModel;
}

/** All that a run of the pipeline needs to know, as plain data that can be handed to a thread. */
export interface PipelineJob {
  readonly trigger: "start" | "now";
  readonly env: Environment;
  readonly platform: string;
  readonly home: string | undefined;
  readonly workspace: Workspace;
  readonly settings: PipelineSettings;
  readonly sources: readonly MemorySourceName[];
  /** `[memory] directory` of the person's own settings. */
  readonly memoryDirectory: string | undefined;
  readonly models: PipelineModels | ModelProblem;
  /** Keys, to be masked wherever a provider repeats them. */
  readonly secrets: readonly string[];
  /** Sessions that are going on, besides those that are locked. */
  readonly running: readonly string[];
  /** Whether everything learned so far is to be looked at again. */
  readonly isRebuilt: boolean;
  /** What a person should hear whatever comes of it. */
  readonly notices: readonly string[];
}

/** How a job ended. */
export interface JobEnd {
  readonly report: PipelineReport;
  /** Sessions by what is to happen to them now; left out when they were not looked at. */
  readonly counts?: DueCounts | undefined;
  /** Why the run before this one failed, when it did. */
  readonly lastFailure?: string | undefined;
}

/** A run in which nothing was done, and why. */
export function emptyReport(
  outcome: PipelineReport["outcome"],
  reason: string,
): PipelineReport & { readonly reason: string } {
  return {
    outcome,
    reason,
    sessionsRead: 0,
    sessionsFailed: 0,
    requests: 0,
    inputTokens: 0,
    outputTokens: 0,
    elapsedMs: 0,
    notices: [],
  };
}

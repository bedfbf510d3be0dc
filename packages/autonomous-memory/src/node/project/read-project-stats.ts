import type { CurrentStatus } from "../../generation/generations.ts";
import { dueQuery, type DueQueryInput } from "../../store/due-query.ts";
import type { PipelineStats } from "../../store/pipeline-stats.ts";
import { readCurrentStatus } from "../generations/current-status.ts";
import { listLockedSessions } from "../sources/locked-sessions.ts";
import { withPipelineStore } from "../store/open-pipeline-store.ts";
import type { RunProjectInput } from "./run-project.ts";

export interface ProjectStatsInput
  extends Omit<DueQueryInput, "running">, Pick<RunProjectInput, "stateFile" | "directory"> {
  /** The sessions that are open in it count as in progress. */
  readonly sessionsDirectory: string;
}

export interface ProjectStats {
  /** `undefined` when nothing ever ran. */
  readonly stats: PipelineStats | undefined;
  /** `undefined` when nothing has been learned yet. */
  readonly current: CurrentStatus | undefined;
}

/**
 * The state of a project's learned memory. Creates nothing.
 * @throws PipelineError `STATE_UNUSABLE`
 */
export async function readProjectStats(input: ProjectStatsInput): Promise<ProjectStats> {
  const { stateFile, directory, sessionsDirectory, ...query } = input;
  const stats = await withPipelineStore({ path: stateFile }, async ({ admin }) => {
    const running = await listLockedSessions(sessionsDirectory);
    return admin.stats(dueQuery({ ...query, running }));
  });
  return { stats, current: readCurrentStatus(directory) };
}

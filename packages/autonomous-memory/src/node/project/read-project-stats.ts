import { dueQuery, type DueQueryInput } from "../../store/due-query.ts";
import type { StatsFacts } from "../../render/render-stats.ts";
import { readCurrentStatus } from "../generations/current-status.ts";
import { readRejected } from "../generations/rejected-candidates.ts";
import { listLockedSessions } from "../sources/locked-sessions.ts";
import { withPipelineStore } from "../store/open-pipeline-store.ts";
import type { RunProjectInput } from "./run-project.ts";

export interface ProjectStatsInput
  extends Omit<DueQueryInput, "running">, Pick<RunProjectInput, "stateFile" | "directory"> {
  /** The sessions that are open in it count as in progress. */
  readonly sessionsDirectory: string;
}

/**
 * The state of a project's pipeline and of its memory, as far as they exist. Creates nothing.
 * @throws PipelineError `STATE_UNUSABLE`
 */
export async function readProjectStats(
  input: ProjectStatsInput,
): Promise<Pick<StatsFacts, "stats" | "current" | "rejected">> {
  const { stateFile, directory, sessionsDirectory, ...query } = input;
  const stats = await withPipelineStore({ path: stateFile }, async ({ admin }) => {
    const running = await listLockedSessions(sessionsDirectory);
    return admin.stats(dueQuery({ ...query, running }));
  });
  return { stats, current: readCurrentStatus(directory), rejected: readRejected(directory) };
}

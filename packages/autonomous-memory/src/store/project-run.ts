import type { PipelineReport } from "../run/pipeline-report.ts";
import type { DueCounts } from "./pipeline-store.ts";

/** How a run of a project ended. */
export interface ProjectRun {
  readonly report: PipelineReport;
  /** The sessions by state after the run. */
  readonly counts?: DueCounts | undefined;
  /** Why the previous run failed, if it did. */
  readonly lastFailure?: string | undefined;
}

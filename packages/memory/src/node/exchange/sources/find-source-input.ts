import type { ResolvedEnvironment } from "../../project/environment.ts";

export interface FindSourceInput {
  readonly environment: ResolvedEnvironment;
  readonly workspaceRoot: string;
  /** The path that identifies the project, the same in all of its worktrees. */
  readonly projectPath: string;
  /** The file or directory to import, for `dir` and `agents-md`. */
  readonly path?: string | undefined;
}

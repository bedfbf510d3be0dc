import type { ResolvedEnvironment } from "../../project/environment.ts";

/** What the sources need to find their files. */
export interface FindSourceInput {
  readonly environment: ResolvedEnvironment;
  readonly workspaceRoot: string;
  readonly projectPath: string;
  readonly path: string | undefined;
}

import { isAbsolute } from "node:path";
import type { Environment } from "@caliban/common";
import type { PipelineNotice } from "../../run/notice.ts";
import type { ListingInProgress } from "./session-files.ts";
import { isInside } from "./within-workspace.ts";

/** Where to find another agent's sessions of a workspace. */
export interface AgentSourceInput {
  /** The user's home directory. */
  readonly home: string;
  readonly env: Environment;
  readonly workspaceRoot: string;
}

/**
 * The directory named by an environment variable, or the default one if that cannot be the user's: a repository must not
 * supply its own sessions.
 */
export function resolveAgentDirectory(
  { variable, fallback }: { readonly variable: string; readonly fallback: string },
  { home, env, workspaceRoot }: AgentSourceInput,
  { notes }: ListingInProgress,
): string {
  const configured = env[variable];
  if (configured === undefined || configured === "") return fallback;
  if (!isAbsolute(configured)) {
    notes.push(ignored(variable, "it is not an absolute path"));
    return fallback;
  }
  // If the home directory is in the workspace, so are all of the user's files.
  if (isInside(configured, workspaceRoot) && !isInside(home, workspaceRoot)) {
    notes.push(ignored(variable, "it names a directory in the workspace"));
    return fallback;
  }
  return configured;
}

function ignored(variable: string, reason: string): PipelineNotice {
  return { code: "VARIABLE_IGNORED", message: `${variable} is ignored because ${reason}` };
}

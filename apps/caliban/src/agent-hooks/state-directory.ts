import { existsSync } from "node:fs";
import { join } from "node:path";
import { userDirectories } from "@caliban/common";
import type { Project } from "../project/project.ts";

/**
 * Where hooks keep what they need between two calls; `undefined` when no home directory is known. A missing one is not
 * created.
 */
export function hookStateDirectory(environment: Project["environment"]): string | undefined {
  const { home } = environment;
  if (home !== undefined && !existsSync(home)) return undefined;
  const { state } = userDirectories(environment);
  return state && join(state, "agent-hooks");
}

/** Contains a directory for each conversation of another agent. */
export function hookSessionsDirectory(stateDirectory: string): string {
  return join(stateDirectory, "sessions");
}

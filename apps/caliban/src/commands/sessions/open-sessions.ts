import { MemoryError } from "@caliban/memory";
import type { Workspace } from "@caliban/memory/node";
import type { Invocation } from "../../command.ts";
import { openProject } from "../../project/project.ts";
import { displayPath } from "../user-paths.ts";
import { settingsWarnings } from "../warnings.ts";

/** The stored sessions of the workspace, for one command. */
export interface OpenSessions {
  /** The name of the project's home. */
  readonly project: string;
  readonly directory: string;
  readonly workspace: Workspace;
  /** Printed on stderr, whatever the command does. */
  readonly warnings: readonly string[];
  readonly displayPath: (path: string) => string;
}

/** @throws MemoryError `NO_MEMORY_DIRECTORY` when no home directory is known */
export async function openSessions(invocation: Invocation): Promise<OpenSessions> {
  const { sessions, settings, workspace } = await openProject(invocation);
  const found = await sessions();
  if (found === undefined) {
    const message = "no home directory found, so there are no sessions; set HOME or XDG_DATA_HOME";
    throw new MemoryError("NO_MEMORY_DIRECTORY", message);
  }
  return {
    project: found.project,
    directory: found.directory,
    workspace,
    warnings: settingsWarnings(invocation.host, settings.warnings),
    displayPath: (path) => displayPath(invocation.host, path),
  };
}

import { abbreviateHome, pathStyleOf, terminalSafeLine } from "@caliban/common";
import { MemoryError } from "@caliban/memory";
import type { Invocation } from "../../command.ts";
import { openProject } from "../../project/project.ts";
import { renderSettingsWarnings } from "../warnings.ts";

/** The stored sessions of the workspace, for one command. */
export interface OpenSessions {
  /** The name of the project's home. */
  readonly project: string;
  readonly directory: string;
  /** What is to be said on stderr, whatever the command does. */
  readonly warnings: string;
  /** A path as the person reads it. */
  readonly shown: (path: string) => string;
}

/** @throws MemoryError `NO_MEMORY_DIRECTORY` when no home directory is known */
export async function openSessions(invocation: Invocation): Promise<OpenSessions> {
  const { platform, home } = invocation.host;
  const { sessions, settings } = await openProject(invocation);
  const found = await sessions();
  if (found === undefined) {
    const sentence =
      "no home directory is known, so there are no sessions; set HOME or XDG_DATA_HOME";
    throw new MemoryError("NO_MEMORY_DIRECTORY", sentence);
  }
  return {
    project: found.project,
    directory: found.directory,
    warnings: renderSettingsWarnings(settings.warnings),
    shown: (path) => terminalSafeLine(abbreviateHome(pathStyleOf(platform), path, home)),
  };
}

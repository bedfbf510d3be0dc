import { basename, join } from "node:path";
import { abbreviateHome, pathStyleOf, terminalSafeLine } from "@caliban/common";
import { MemoryError } from "@caliban/memory";
import { openProjectHome } from "@caliban/memory/node";
import type { Invocation } from "../../command.ts";
import { openSession } from "../../compose.ts";
import { renderSettingsWarnings } from "../../render/warnings.ts";

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
  const { env, platform, home } = invocation.host;
  const { workspace, settings } = await openSession(invocation);
  const project = await openProjectHome({ env, platform, home, workspace });
  if (project === undefined) {
    const sentence =
      "no home directory is known, so there are no sessions; set HOME or XDG_DATA_HOME";
    throw new MemoryError("NO_MEMORY_DIRECTORY", sentence);
  }
  return {
    project: basename(project.home),
    directory: join(project.home, "sessions"),
    warnings: renderSettingsWarnings(settings.warnings),
    shown: (path) => terminalSafeLine(abbreviateHome(pathStyleOf(platform), path, home)),
  };
}

import { join } from "node:path";
import { abbreviateHome, pathStyleOf, terminalSafeLine } from "@caliban/common";
import { openProjectHome } from "@caliban/memory/node";
import { SessionsError } from "@caliban/sessions";
import type { CommandResult, Invocation } from "../../command.ts";
import { openSession } from "../../compose.ts";
import { EXIT, type ExitCode } from "../../exit-code.ts";
import { renderSettingsWarnings } from "../../render/warnings.ts";

/** The stored sessions of the workspace, for one command. */
export interface OpenSessions {
  readonly directory: string;
  /** What is to be said on stderr, whatever the command does. */
  readonly warnings: string;
  /** A path as the person reads it. */
  readonly shown: (path: string) => string;
}

/** The directory of a project home that has its sessions. */
export function sessionsDirectory(projectHome: string): string {
  return join(projectHome, "sessions");
}

/**
 * Runs a command on the sessions of the workspace; what a person can mend becomes a sentence.
 */
export async function withSessions(
  invocation: Invocation,
  command: (sessions: OpenSessions) => Promise<CommandResult>,
): Promise<CommandResult> {
  const { env, platform, home } = invocation.host;
  const { workspace, settings } = await openSession(invocation);
  const warnings = renderSettingsWarnings(settings.warnings);
  const project = await openProjectHome({ env, platform, home, workspace });
  if (project === undefined) {
    const sentence =
      "no home directory is known, so there are no sessions; set HOME or XDG_DATA_HOME";
    return failed(`${warnings}caliban: ${sentence}\n`, EXIT.failed);
  }
  try {
    return await command({
      directory: sessionsDirectory(project.home),
      warnings,
      shown: (path) => terminalSafeLine(abbreviateHome(pathStyleOf(platform), path, home)),
    });
  } catch (error) {
    if (!(error instanceof SessionsError)) throw error;
    const line = `caliban: ${terminalSafeLine(error.message)}\n`;
    return failed(warnings + line, exitCodeOf(error));
  }
}

/** How a command ends that met a failure of the sessions. */
export function exitCodeOf({ code }: SessionsError): ExitCode {
  switch (code) {
    case "NOT_FOUND":
      return EXIT.nothingFound;
    case "AMBIGUOUS":
    case "INVALID_ID":
    case "INVALID_NAME":
      return EXIT.usage;
    case "IN_USE":
    case "UNREADABLE":
    case "UNWRITABLE":
      return EXIT.failed;
  }
}

function failed(stderr: string, exitCode: ExitCode): CommandResult {
  return { stdout: "", stderr, exitCode };
}

import { basename, join } from "node:path";
import { userDirectories } from "@caliban/common";
import { openProjectHome, type ProjectHome, type Workspace } from "@caliban/memory/node";
import type { Host } from "../host.ts";

export interface LocationInput extends Pick<Host, "env" | "platform" | "home" | "native"> {
  readonly workspace: Workspace;
  /** Set before something is written: the project home is then checked against the repository first. */
  readonly forWriting?: boolean;
}

/** Where the stored sessions of a project are. The directory need not exist. */
export interface SessionsLocation {
  /** The directory name of the project home. */
  readonly project: string;
  readonly directory: string;
  /** Creates the project home. */
  readonly prepare: ProjectHome["prepare"];
}

/** Finds the stored sessions; `undefined` when no home directory is known. Creates nothing. */
export async function findSessions(input: LocationInput): Promise<SessionsLocation | undefined> {
  const projectHome = await openProjectHome(input);
  if (projectHome === undefined) return undefined;
  const { home, prepare } = projectHome;
  return { project: basename(home), directory: sessionsDirectory(home), prepare };
}

/** Where learned memory is stored. None of it need exist. */
export interface LearnedLocation {
  /** The directory name of the project home, which identifies the project in the state file. */
  readonly project: string;
  readonly projectHome: ProjectHome;
  /** Contains the generations. */
  readonly directory: string;
  readonly sessionsDirectory: string;
  /** Shared by all projects. */
  readonly stateFile: string;
}

/** Finds learned memory; `undefined` when no home directory is known. Creates nothing. */
export async function findLearned(input: LocationInput): Promise<LearnedLocation | undefined> {
  const { state } = userDirectories(input);
  const projectHome = await openProjectHome(input);
  if (projectHome === undefined || state === undefined) return undefined;
  const { home } = projectHome;
  return {
    project: basename(home),
    projectHome,
    directory: learnedDirectory(home),
    sessionsDirectory: sessionsDirectory(home),
    stateFile: join(state, "memories.sqlite"),
  };
}

/** The directory of a project's sessions. */
export function sessionsDirectory(projectHome: string): string {
  return join(projectHome, "sessions");
}

/** The directory of a project's generations. */
export function learnedDirectory(projectHome: string): string {
  return join(projectHome, "autonomous");
}

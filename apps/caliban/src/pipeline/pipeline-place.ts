import { basename, join } from "node:path";
import { userDirectories } from "@caliban/common";
import { openProjectHome, type ProjectHome, type Workspace } from "@caliban/memory/node";
import type { Host } from "../host.ts";

/** Where the pipeline keeps what, for one project. Nothing of it need be there. */
export interface PipelinePlace {
  /** The name of the project's home, by which the state knows it. */
  readonly project: string;
  readonly projectHome: ProjectHome;
  /** The generations. */
  readonly directory: string;
  readonly sessionsDirectory: string;
  /** One for all projects. */
  readonly stateFile: string;
}

export interface PipelinePlaceInput extends Pick<Host, "env" | "platform" | "home"> {
  readonly workspace: Workspace;
  /** Whether something may be written: then the home is held against the repository first. */
  readonly forWriting?: boolean;
}

/** `undefined` when no home directory is known. Nothing is made on disk. */
export async function findPipelinePlace(
  input: PipelinePlaceInput,
): Promise<PipelinePlace | undefined> {
  const { state } = userDirectories(input);
  const projectHome = await openProjectHome(input);
  if (projectHome === undefined || state === undefined) return undefined;
  const { home } = projectHome;
  return {
    project: basename(home),
    projectHome,
    directory: artifactsOf(home),
    sessionsDirectory: join(home, "sessions"),
    stateFile: join(state, "memories.sqlite"),
  };
}

/** Where the generations of a project are. */
export function artifactsOf(projectHome: string): string {
  return join(projectHome, "autonomous");
}

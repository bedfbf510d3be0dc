import { join } from "node:path";
import { type Environment, userDirectories } from "@caliban/common";
import { realPathIfExists } from "@caliban/common/node";
import type { MemoryPlaces } from "../../project/locations.ts";
import type { Notice } from "../../prompt/receipt.ts";
import type { Workspace } from "./workspace.ts";
import { findMovedProject, projectName } from "./project-name.ts";
import { projectPathOf } from "./worktree.ts";

/** The machine as far as it decides about places. */
export interface PlaceInput {
  readonly env: Environment;
  readonly platform: string;
  /** The person's home directory; `undefined` when none is known. */
  readonly home: string | undefined;
}

/** Under which name a project's memory is kept, and what is to be said of that. */
export interface ProjectIdentity {
  readonly name: string;
  /** The path that names the project, whichever of its worktrees one stands in. */
  readonly path: string;
  readonly notices: readonly Notice[];
}

export async function identifyProject(
  input: PlaceInput,
  workspace: Workspace,
): Promise<ProjectIdentity> {
  const projects = projectsDirectory(input);
  const { path, notices } = await projectPathOf(workspace);
  const { name, isThere } = await projectName(projects, path);
  if (isThere || projects === undefined) return { name, path, notices };
  const moved = await findMovedProject(projects, { path, env: input.env });
  if (moved === undefined) return { name, path, notices };
  const sentence = `Memory of this repository was kept while it was at ${moved.record.path}; \`caliban memory adopt\` takes it over.`;
  return { name, path, notices: [...notices, { code: "MOVED_REPOSITORY", sentence }] };
}

/** Where the homes of all projects are; `undefined` when no home directory is known. */
export function projectsDirectory(input: PlaceInput): string | undefined {
  const { data } = userDirectories(input);
  return data && join(data, "projects");
}

/**
 * The home of what is kept about the notes of a project, outside of them. A directory that a person named may be
 * shared by several projects, and so is its history: it has a home of its own.
 */
export async function homeOfNotes(
  input: PlaceInput,
  places: MemoryPlaces,
): Promise<NotesHome | undefined> {
  const { projectHome, autoDirectory, isSharedDirectory } = places;
  if (autoDirectory === undefined) return undefined;
  if (!isSharedDirectory) {
    return projectHome === undefined ? undefined : { home: projectHome, owner: undefined };
  }
  const projects = projectsDirectory(input);
  if (projects === undefined) return undefined;
  const owner = realPathIfExists(autoDirectory) ?? autoDirectory;
  return { home: join(projects, (await projectName(projects, owner)).name), owner };
}

export interface NotesHome {
  readonly home: string;
  /** The directory that the home is for, when it is not the project's. */
  readonly owner: string | undefined;
}

/** Where the changes of the notes are recorded. */
export function historyIn({ home }: NotesHome): string {
  return join(home, "history");
}

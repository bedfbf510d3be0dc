import type { Environment } from "@caliban/common";
import { MemoryError } from "../errors.ts";
import type { Workspace } from "./find-workspace.ts";
import { projectsDirectory } from "./load-memory.ts";
import { type AdoptedProject, adoptProject } from "./project-home.ts";
import { projectPathOf } from "./worktree.ts";

export interface AdoptMemoryInput {
  readonly workspace: Workspace;
  readonly env: Environment;
  readonly platform: string;
  readonly home: string | undefined;
}

/**
 * Takes the memory of a repository over from the place it was moved from.
 * @throws MemoryError `NOTHING_TO_ADOPT`
 */
export async function adoptMemory(input: AdoptMemoryInput): Promise<AdoptedProject> {
  const projects = projectsDirectory(input);
  if (projects === undefined) {
    throw new MemoryError("NOTHING_TO_ADOPT", "no home directory is known, so there is no memory");
  }
  const { path } = await projectPathOf(input.workspace);
  return await adoptProject(projects, path);
}

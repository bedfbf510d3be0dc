import { existsSync } from "node:fs";
import { mkdir, rename, rmdir, unlink } from "node:fs/promises";
import { join } from "node:path";
import { type Environment, terminalSafeLine } from "@caliban/common";
import { writeFileAtomic } from "@caliban/common/node";
import { MemoryError } from "../../errors.ts";
import { renderProjectRecord } from "../../project/record.ts";
import type { Workspace } from "./workspace.ts";
import { projectsDirectory, entriesOf, findMovedProject, projectName, RECORD_FILE, SESSIONS } from "./identity.ts";

import { reportUnwritable } from "../report-unwritable.ts";
import { resolveProjectPath } from "./worktree.ts";

export interface AdoptMemoryInput {
  readonly workspace: Workspace;
  readonly env: Environment;
  readonly platform: string;
  readonly home: string | undefined;
}

export interface AdoptedProject {
  readonly from: string;
  readonly to: string;
}

/**
 * Takes the memory of a repository over from the place it was moved from.
 * @throws MemoryError `NOTHING_TO_ADOPT`, or `UNWRITABLE`
 */
export async function adoptMemory(input: AdoptMemoryInput): Promise<AdoptedProject> {
  const projects = projectsDirectory(input);
  if (projects === undefined) {
    throw new MemoryError("NOTHING_TO_ADOPT", "no home directory is known, so there is no memory");
  }
  const { path } = await resolveProjectPath(input.workspace);
  return await reportUnwritable(projects, () => adoptProject(projects, { path, env: input.env }));
}

async function adoptProject(
  projects: string,
  project: { readonly path: string; readonly env: Environment },
): Promise<AdoptedProject> {
  const { name, exists: isThere } = await projectName(projects, project.path);
  const target = join(projects, name);
  if (isThere) {
    const sentence = `this workspace has memory of its own at ${terminalSafeLine(target)}; move or merge it by hand`;
    throw new MemoryError("NOTHING_TO_ADOPT", sentence);
  }
  const moved = await findMovedProject(projects, project);
  if (moved === undefined) {
    const sentence =
      "no memory was found of this repository under a path that is gone (same first commit, same remote)";
    throw new MemoryError("NOTHING_TO_ADOPT", sentence);
  }
  await mkdir(projects, { recursive: true, mode: 0o700 });
  if (existsSync(target)) await giveWay(target, moved.home);
  // The rename decides. After a crash right behind it the home still names the old path, and is found again.
  await rename(moved.home, target);
  await writeFileAtomic(
    join(target, RECORD_FILE),
    renderProjectRecord({ ...moved.record, path: project.path }),
  );
  return { from: moved.record.path, to: project.path };
}

/** A home that has nothing but conversations is no obstacle: they go over to the one that takes its name. */
async function giveWay(home: string, successor: string): Promise<void> {
  const [own, theirs] = [join(home, SESSIONS), join(successor, SESSIONS)];
  await mkdir(theirs, { recursive: true, mode: 0o700 });
  await Promise.all(entriesOf(own).map((name) => rename(join(own, name), join(theirs, name))));
  await rmdir(own);
  if (existsSync(join(home, RECORD_FILE))) await unlink(join(home, RECORD_FILE));
  await rmdir(home);
}

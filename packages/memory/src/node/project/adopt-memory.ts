import { existsSync } from "node:fs";
import { mkdir, rename, rmdir, unlink } from "node:fs/promises";
import { join } from "node:path";
import { type Environment, terminalSafeLine } from "@caliban/common";
import { listNames, writeFileAtomic } from "@caliban/common/node";
import { MemoryError } from "../../errors.ts";
import { renderProjectRecord } from "../../project/record.ts";
import { reportUnwritable } from "../report-unwritable.ts";
import { type OpenProjectHomeInput, resolveProjectRequest } from "./home.ts";
import {
  findMovedProject,
  findProjectName,
  projectsDirectory,
  RECORD_FILE,
  SESSIONS,
} from "./identity.ts";
import { resolveProjectPath } from "./worktree.ts";

/** The paths of the repository before and after it was moved. */
export interface AdoptedProject {
  readonly from: string;
  readonly to: string;
}

/**
 * Takes over the memory of a repository that was moved here from another path.
 * @throws MemoryError `NOTHING_TO_ADOPT`, or `UNWRITABLE`
 */
export async function adoptMemory(
  input: Omit<OpenProjectHomeInput, "forWriting">,
): Promise<AdoptedProject> {
  const request = await resolveProjectRequest(input);
  const projects = projectsDirectory(request);
  if (projects === undefined) {
    throw new MemoryError("NOTHING_TO_ADOPT", "no home directory found, so there is no memory");
  }
  const { path } = resolveProjectPath(request.workspace);
  return await reportUnwritable(projects, () => adoptProject(projects, { path, env: request.env }));
}

async function adoptProject(
  projects: string,
  project: { readonly path: string; readonly env: Environment },
): Promise<AdoptedProject> {
  const { name, exists } = findProjectName(projects, project.path);
  const target = join(projects, name);
  if (exists) {
    const message = `this workspace already has memory at ${terminalSafeLine(target)}; move or merge it by hand`;
    throw new MemoryError("NOTHING_TO_ADOPT", message);
  }
  const moved = await findMovedProject(projects, project);
  if (moved === undefined) {
    const message =
      "no memory to adopt: no moved repository with the same root commit and remote found";
    throw new MemoryError("NOTHING_TO_ADOPT", message);
  }
  await mkdir(projects, { recursive: true, mode: 0o700 });
  if (existsSync(target)) await moveSessions(target, moved.home);
  // The rename decides. After a crash right after it, the home still names the old path and is found again.
  await rename(moved.home, target);
  await writeFileAtomic(
    join(target, RECORD_FILE),
    renderProjectRecord({ ...moved.record, path: project.path }),
  );
  return { from: moved.record.path, to: project.path };
}

/** A home with nothing but conversations makes way: they move to the home that takes its name. */
async function moveSessions(home: string, successor: string): Promise<void> {
  const [from, to] = [join(home, SESSIONS), join(successor, SESSIONS)];
  await mkdir(to, { recursive: true, mode: 0o700 });
  await Promise.all(listNames(from).map((name) => rename(join(from, name), join(to, name))));
  await rmdir(from);
  if (existsSync(join(home, RECORD_FILE))) await unlink(join(home, RECORD_FILE));
  await rmdir(home);
}

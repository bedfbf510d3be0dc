import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Environment, terminalSafeLine } from "@caliban/common";
import { MemoryError } from "../../errors.ts";
import {
  type EnvironmentOptions,
  resolveEnvironment,
  type ResolvedEnvironment,
} from "./environment.ts";
import {
  identifyProject,
  longName,
  type ProjectIdentity,
  projectsDirectory,
  readRecord,
  RECORD_FILE,
} from "./identity.ts";
import { findWorkspace, type Workspace } from "./workspace.ts";

export interface OpenProjectHomeInput extends EnvironmentOptions {
  /** A directory to start from, whose git top level is the workspace, or the result of `findWorkspace`. */
  readonly workspace: Workspace | string;
  /** Whether something may be written: then the home is checked against the repository first. */
  readonly forWriting?: boolean;
}

/** The same, complete. */
export interface ProjectRequest extends ResolvedEnvironment {
  readonly workspace: Workspace;
  readonly forWriting: boolean;
}

/** @throws MemoryError `WORKSPACE_NOT_FOUND` */
export async function resolveProjectRequest(given: OpenProjectHomeInput): Promise<ProjectRequest> {
  const input = { ...given };
  const { workspace, forWriting = false } = input;
  const found = typeof workspace === "object" ? workspace : await findWorkspace(workspace);
  return { ...resolveEnvironment(input), workspace: found, forWriting };
}

/** The directory of everything that belongs to one project: topics, their history, sessions. */
export interface ProjectHome {
  readonly home: string;
  /**
   * Must be awaited before the first write: creates the home and records which project it belongs to.
   * @throws MemoryError `STORE_BUSY` when another project took it in the meantime
   */
  readonly prepare: () => Promise<void>;
}

/** Finds the home of a workspace's project; `undefined` when no home directory is known. Nothing is created on disk. */
export async function openProjectHome(
  input: OpenProjectHomeInput,
): Promise<ProjectHome | undefined> {
  const request = await resolveProjectRequest(input);
  const projects = projectsDirectory(request);
  if (projects === undefined) return undefined;
  const { name, path } = await ownIdentity(request);
  const home = join(projects, name);
  const owner = { path, env: request.env, isRepository: true };
  return { home, prepare: () => ensureProjectRecord(home, owner) };
}

/** A different repository may now be at a path that has memory. It gets a home of its own. */
export async function ownIdentity(request: ProjectRequest): Promise<ProjectIdentity> {
  const identity = await identifyProject(request, request.workspace);
  const projects = projectsDirectory(request);
  if (!request.forWriting || projects === undefined) return identity;
  const { name, path } = identity;
  const record = readRecord(join(projects, name));
  if (record === undefined || record.rootCommits.length === 0) return identity;
  const { isOtherRepository } = await import("./git-facts.ts");
  const { rootCommits } = record;
  const isOther = await isOtherRepository(path, { rootCommits, env: request.env });
  return isOther ? { ...identity, name: longName(name, path) } : identity;
}

/** Records which project a home belongs to, unless that is recorded already. */
export async function ensureProjectRecord(
  home: string,
  owner: { readonly path: string; readonly env: Environment; readonly isRepository: boolean },
): Promise<void> {
  if (!existsSync(join(home, RECORD_FILE))) {
    const { writeProjectRecord } = await import("./write-project-record.ts");
    await writeProjectRecord(home, owner);
  }
  // Two projects whose paths give the same name may have been opened before either wrote.
  const record = readRecord(home);
  if (record === undefined || record.path === owner.path) return;
  const message = `${terminalSafeLine(home)} was taken by ${terminalSafeLine(record.path)} in the meantime. Try again: this project will get a directory of its own.`;
  throw new MemoryError("STORE_BUSY", message);
}

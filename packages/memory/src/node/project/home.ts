import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Environment, terminalSafeLine } from "@caliban/common";
import { MemoryError } from "../../errors.ts";
import { findWorkspace, type Workspace } from "./workspace.ts";
import { type EnvironmentOptions, resolveEnvironment } from "./environment.ts";
import { longName, RECORD_FILE, readRecord, identifyProject, type ResolvedEnvironment, type ProjectIdentity, projectsDirectory } from "./identity.ts";


export interface OpenProjectHomeInput extends EnvironmentOptions {
  /** A directory to start from, whose git top level is the workspace, or what `findWorkspace` made of it. */
  readonly workspace: Workspace | string;
  /** Whether something may be written: then the home is held against the repository first. */
  readonly forWriting?: boolean;
}

/** The same, found and complete. */
export interface ProjectPlace extends ResolvedEnvironment {
  readonly workspace: Workspace;
  readonly forWriting: boolean;
}

/** @throws MemoryError `WORKSPACE_NOT_FOUND` */
export async function projectPlace(input: OpenProjectHomeInput): Promise<ProjectPlace> {
  const { workspace, forWriting = false } = input;
  const found = typeof workspace === "string" ? await findWorkspace(workspace) : workspace;
  return { ...resolveEnvironment(input), workspace: found, forWriting };
}

/** Where everything is kept that belongs to one project: notes, their history, sessions. */
export interface ProjectHome {
  readonly home: string;
  /**
   * To be awaited before the first write: makes the home, and writes down whose it is.
   * @throws MemoryError `STORE_BUSY` when another project took it meanwhile
   */
  readonly prepare: () => Promise<void>;
}

/** The home of a workspace's project; `undefined` when no home directory is known. Nothing is made on disk. */
export async function openProjectHome(
  input: OpenProjectHomeInput,
): Promise<ProjectHome | undefined> {
  const place = await projectPlace(input);
  const projects = projectsDirectory(place);
  if (projects === undefined) return undefined;
  const { name, path } = await ownIdentity(place);
  const home = join(projects, name);
  return { home, prepare: () => ensureProjectRecord(home, { path, env: input.env, isRepository: true }) };
}

/** Another repository may stand where one was whose notes are still here: it gets a home of its own. */
export async function ownIdentity(place: ProjectPlace): Promise<ProjectIdentity> {
  const identity = await identifyProject(place, place.workspace);
  const projects = projectsDirectory(place);
  if (!place.forWriting || projects === undefined) return identity;
  const { name, path } = identity;
  const record = await readRecord(join(projects, name));
  if (record === undefined || record.rootCommits.length === 0) return identity;
  const { isOtherRepository } = await import("./git-facts.ts");
  const { rootCommits } = record;
  const isOther = await isOtherRepository(path, { rootCommits, env: place.env });
  return isOther ? { ...identity, name: longName(name, path) } : identity;
}

/** Writes down whose home it is, unless that stands there. */
export async function ensureProjectRecord(
  home: string,
  owner: { readonly path: string; readonly env: Environment; readonly isRepository: boolean },
): Promise<void> {
  if (!existsSync(join(home, RECORD_FILE))) {
    const { writeProjectRecord: claimHome } = await import("./write-project-record.ts");
    await claimHome(home, owner);
  }
  // Two projects whose paths give one name may have been opened before either wrote.
  const record = await readRecord(home);
  if (record === undefined || record.path === owner.path) return;
  const sentence = `${terminalSafeLine(home)} was taken by ${terminalSafeLine(record.path)} meanwhile; run it again, and this project gets a place of its own`;
  throw new MemoryError("STORE_BUSY", sentence);
}

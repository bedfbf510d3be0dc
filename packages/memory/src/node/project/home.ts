import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Environment, terminalSafeLine } from "@caliban/common";
import { MemoryError } from "../../errors.ts";
import type { ProjectRecord } from "../../project/record.ts";
import { workspaceSlug } from "../../project/slug.ts";
import { sha256Hex } from "../sha256-hex.ts";
import {
  type EnvironmentOptions,
  resolveEnvironment,
  type ResolvedEnvironment,
} from "./environment.ts";
import { gitRemotes, looksLikeRepository } from "./git-files.ts";
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

/**
 * A different repository may now be at a path that has memory. It gets a home of its own, and nothing of the other one is
 * shown before that is known.
 */
export async function ownIdentity(
  request: Omit<ProjectRequest, "forWriting"> & { readonly forWriting?: boolean },
): Promise<ProjectIdentity> {
  const identity = await identifyProject(request, request.workspace);
  const projects = projectsDirectory(request);
  if (projects === undefined) return identity;
  const { path, name, record } = identity;
  const isOther = (candidate: string, known?: ProjectRecord): Promise<boolean> =>
    isOtherHome(known ?? readRecord(join(projects, candidate)), { ...request, path });
  if (!(await isOther(name, record))) return identity;
  const own = await findOwnName(workspaceSlug(path, sha256Hex), path, isOther);
  const message = `Another repository was at ${path} before. Its memory is kept, and not used here.`;
  return {
    path,
    name: own,
    notices: [...identity.notices, { code: "OTHER_REPOSITORY", message }],
  };
}

/** More repositories at one path than anyone has. */
const MAX_NAMES = 16;

/** The first of the path's names that no other repository has. */
async function findOwnName(
  slug: string,
  path: string,
  isOther: (name: string) => Promise<boolean>,
): Promise<string> {
  let name = slug;
  for (let tries = 0; tries < MAX_NAMES && (await isOther(name)); tries++) {
    name = longName(name, path);
  }
  return name;
}

async function isOtherHome(
  record: ProjectRecord | undefined,
  {
    path,
    env,
    forWriting = false,
  }: Pick<ProjectRequest, "env"> & {
    readonly path: string;
    readonly forWriting?: boolean;
  },
): Promise<boolean> {
  if (record === undefined || record.rootCommits.length === 0) return false;
  // Reading must not wait for git where its files are enough.
  if (!forWriting && looksLikeRepository(path, record)) return false;
  const { isOtherRepository } = await import("./git-facts.ts");
  return await isOtherRepository(path, { rootCommits: record.rootCommits, env });
}

interface ProjectOwner {
  readonly path: string;
  readonly env: Environment;
  readonly isRepository: boolean;
}

/** Records which project a home belongs to, unless that is recorded already. */
export async function ensureProjectRecord(home: string, owner: ProjectOwner): Promise<void> {
  if (!existsSync(join(home, RECORD_FILE))) {
    const { writeProjectRecord } = await import("./write-project-record.ts");
    await writeProjectRecord(home, owner);
  }
  // Two projects whose paths give the same name may have been opened before either wrote.
  const record = readRecord(home);
  if (record === undefined) return;
  if (record.path === owner.path) return await updateRemotes(home, { record, owner });
  const message = `${terminalSafeLine(home)} was taken by ${terminalSafeLine(record.path)} in the meantime. Try again: this project will get a directory of its own.`;
  throw new MemoryError("STORE_BUSY", message);
}

/** Keeps the remotes current, by which readers recognize the repository. */
async function updateRemotes(
  home: string,
  { record, owner }: { readonly record: ProjectRecord; readonly owner: ProjectOwner },
): Promise<void> {
  if (record.rootCommits.length === 0) return;
  const remotes = gitRemotes(owner.path);
  if (remotes.length === 0 || remotes.join("\n") === record.remotes.join("\n")) return;
  const { replaceProjectRecord } = await import("./write-project-record.ts");
  await replaceProjectRecord(home, { ...record, remotes });
}

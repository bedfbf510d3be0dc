import { existsSync } from "node:fs";
import { join } from "node:path";
import { command, type Environment, userDirectories, withCommands } from "@caliban/common";
import { listNames, readTextFile, realPathIfExists } from "@caliban/common/node";
import type { MemoryLocations } from "../../project/locations.ts";
import {
  haveSameRemote,
  isSameRepository,
  parseProjectRecord,
  type ProjectRecord,
} from "../../project/record.ts";
import { workspaceSlug } from "../../project/slug.ts";
import type { MemoryNotice } from "../../notice.ts";
import { sha256Hex } from "../sha256-hex.ts";
import type { ResolvedEnvironment } from "./environment.ts";
import { gitRemotes } from "./git-files.ts";
import type { Workspace } from "./workspace.ts";
import { resolveProjectPath } from "./worktree.ts";

/** The file of a project home that says which project it belongs to. */
export const RECORD_FILE = "project.json";
/** The directory of a project home that holds its conversations. */
export const SESSIONS = "sessions";
const MAX_RECORD_BYTES = 64 * 1024;
const MAX_PROJECTS = 1_000;

/** Which project a workspace is. */
export interface ProjectIdentity {
  /** The name of its project home. */
  readonly name: string;
  /** The path that identifies the project, the same in all of its worktrees. */
  readonly path: string;
  /** The record of the home, if it was read to find the name. */
  readonly record?: ProjectRecord | undefined;
  readonly notices: readonly MemoryNotice[];
}

export async function identifyProject(
  environment: ResolvedEnvironment,
  workspace: Workspace,
): Promise<ProjectIdentity> {
  const projects = projectsDirectory(environment);
  const { path, notices } = resolveProjectPath(workspace);
  const { name, exists, record } = findProjectName(projects, path);
  if (exists || projects === undefined) return { name, path, record, notices };
  const moved = await findMovedProject(projects, { path, env: environment.env });
  if (moved === undefined) return { name, path, record, notices };
  const message = withCommands`This repository has memory from when it was at ${moved.record.path}. To use it here, run: ${command("memory adopt")}`;
  const notice = { code: "MOVED_REPOSITORY", ...message } as const;
  return { name, path, record, notices: [...notices, notice] };
}

/** The directory of all project homes; `undefined` when no home directory is known. */
export function projectsDirectory(environment: ResolvedEnvironment): string | undefined {
  const { data } = userDirectories(environment);
  return data && join(data, "projects");
}

/** Where the record and the history of a memory directory are, outside of the directory itself. */
export interface MemoryHome {
  readonly home: string;
  /** The directory that the home is for; `undefined` when it is the project's own. */
  readonly owner: string | undefined;
}

/**
 * Finds the home of a memory directory. Several projects may share a directory that the user chose, and with it its
 * history, so such a directory has a home of its own.
 */
export function findMemoryHome(
  environment: ResolvedEnvironment,
  { projectHome, memoryDirectory, isSharedDirectory }: MemoryLocations,
): MemoryHome | undefined {
  if (memoryDirectory === undefined) return undefined;
  if (!isSharedDirectory) {
    return projectHome === undefined ? undefined : { home: projectHome, owner: undefined };
  }
  const projects = projectsDirectory(environment);
  if (projects === undefined) return undefined;
  const owner = realPathIfExists(memoryDirectory) ?? memoryDirectory;
  return { home: join(projects, findProjectName(projects, owner).name), owner };
}

export function historyDirectoryIn({ home }: MemoryHome): string {
  return join(home, "history");
}

/** The name of a project home. */
export interface ProjectName {
  readonly name: string;
  /** Whether it holds anything besides conversations, which begin before any topic is written. */
  readonly exists: boolean;
  /** The record of that home, if it was read to find the name. */
  readonly record?: ProjectRecord | undefined;
}

/**
 * The slug, unless that belongs to another project: then the slug with eight characters of the path's hash. A project
 * that once got the longer name keeps it, even when the slug becomes free.
 */
export function findProjectName(projects: string | undefined, projectPath: string): ProjectName {
  const slug = workspaceSlug(projectPath, sha256Hex);
  if (projects === undefined) return { name: slug, exists: false };
  const names = new Set(listNames(projects));
  const exists = (name: string): boolean =>
    names.has(name) && holdsMoreThanSessions(join(projects, name));
  // Loading the hash function takes milliseconds, so it waits for a name that could match.
  const hasLongNames = [...names].some((name) => isLongNameOf(slug, name));
  if (hasLongNames && names.has(longName(slug, projectPath))) {
    const name = longName(slug, projectPath);
    return { name, exists: exists(name) };
  }
  const owner = names.has(slug) ? readRecord(join(projects, slug)) : undefined;
  if (owner === undefined || owner.path === projectPath) {
    return { name: slug, exists: exists(slug), record: owner };
  }
  return { name: longName(slug, projectPath), exists: false };
}

function holdsMoreThanSessions(home: string): boolean {
  const names = listNames(home);
  return (
    !names.includes(SESSIONS) || names.some((name) => name !== SESSIONS && name !== RECORD_FILE)
  );
}

/** The name of a project whose slug belongs to another. */
export function longName(slug: string, projectPath: string): string {
  return `${slug}-${sha256Hex(projectPath).slice(0, 8)}`;
}

function isLongNameOf(slug: string, name: string): boolean {
  return name.startsWith(`${slug}-`) && /^[0-9a-f]{8}$/.test(name.slice(slug.length + 1));
}

/** The home of a repository that used to be at another path. */
export interface MovedProject {
  readonly home: string;
  readonly record: ProjectRecord;
}

/**
 * Finds memory of the same repository under a path that no longer exists. Git runs only when such a home has the same
 * remote.
 */
export async function findMovedProject(
  projects: string,
  project: { readonly path: string; readonly env: Environment },
): Promise<MovedProject | undefined> {
  const names = listNames(projects).toSorted().slice(0, MAX_PROJECTS);
  const gone = names.flatMap((name) => {
    const home = join(projects, name);
    const record = readRecord(home);
    return record === undefined || existsSync(record.path) ? [] : [{ home, record }];
  });
  if (gone.length === 0) return undefined;
  const remotes = gitRemotes(project.path);
  const likely = gone.filter(({ record }) => haveSameRemote(record.remotes, remotes));
  if (likely.length === 0) return undefined;
  const { gitRootCommits } = await import("./git-facts.ts");
  const facts = { remotes, rootCommits: await gitRootCommits(project.path, project.env) };
  return likely.find(({ record }) => isSameRepository(record, facts));
}

/** Which project a home belongs to; `undefined` when there is no record. */
export function readRecord(home: string): ProjectRecord | undefined {
  const file = readTextFile(join(home, RECORD_FILE), MAX_RECORD_BYTES);
  return file.kind === "text" ? parseProjectRecord(file.text) : undefined;
}

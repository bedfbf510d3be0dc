import { join } from "node:path";
import { type Environment, userDirectories } from "@caliban/common";
import { realPathIfExists, errorCode, readTextFile } from "@caliban/common/node";
import type { MemoryLocations } from "../../project/locations.ts";
import type { MemoryNotice } from "../../prompt/receipt.ts";
import type { Workspace } from "./workspace.ts";
import { resolveProjectPath } from "./worktree.ts";
import { existsSync, readdirSync } from "node:fs";
import { haveSameRemote, isSameRepository, parseProjectRecord, type ProjectRecord } from "../../project/record.ts";
import { workspaceSlug } from "../../project/slug.ts";
import { sha256Hex } from "../sha256-hex.ts";

/** The machine as far as it decides about places. */
export interface ResolvedEnvironment {
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
  readonly notices: readonly MemoryNotice[];
}

export async function identifyProject(
  input: ResolvedEnvironment,
  workspace: Workspace,
): Promise<ProjectIdentity> {
  const projects = projectsDirectory(input);
  const { path, notices } = await resolveProjectPath(workspace);
  const { name, exists: isThere } = await projectName(projects, path);
  if (isThere || projects === undefined) return { name, path, notices };
  const moved = await findMovedProject(projects, { path, env: input.env });
  if (moved === undefined) return { name, path, notices };
  const sentence = `Memory of this repository was kept while it was at ${moved.record.path}; \`caliban memory adopt\` takes it over.`;
  return { name, path, notices: [...notices, { code: "MOVED_REPOSITORY", message: sentence }] };
}

/** Where the homes of all projects are; `undefined` when no home directory is known. */
export function projectsDirectory(input: ResolvedEnvironment): string | undefined {
  const { data } = userDirectories(input);
  return data && join(data, "projects");
}

/**
 * The home of what is kept about the notes of a project, outside of them. A directory that a person named may be
 * shared by several projects, and so is its history: it has a home of its own.
 */
export async function findMemoryHome(
  input: ResolvedEnvironment,
  places: MemoryLocations,
): Promise<MemoryHome | undefined> {
  const { projectHome, memoryDirectory: autoDirectory, isSharedDirectory } = places;
  if (autoDirectory === undefined) return undefined;
  if (!isSharedDirectory) {
    return projectHome === undefined ? undefined : { home: projectHome, owner: undefined };
  }
  const projects = projectsDirectory(input);
  if (projects === undefined) return undefined;
  const owner = realPathIfExists(autoDirectory) ?? autoDirectory;
  return { home: join(projects, (await projectName(projects, owner)).name), owner };
}

export interface MemoryHome {
  readonly home: string;
  /** The directory that the home is for, when it is not the project's. */
  readonly owner: string | undefined;
}

/** Where the changes of the notes are recorded. */
export function historyDirectoryIn({ home }: MemoryHome): string {
  return join(home, "history");
}

/** The file that says whose home it is. */
export const RECORD_FILE = "project.json";
/** The directory of a home that has its conversations. */
export const SESSIONS = "sessions";
const MAX_PROJECTS = 1_000;

/** The directory name under which a project's memory is kept. */
export interface ProjectName {
  readonly name: string;
  /** Whether there is anything under it yet besides conversations, which begin before anybody can think of notes. */
  readonly exists: boolean;
}

/**
 * The slug, unless it belongs to another project: then the slug with eight characters of the path's hash. Whoever
 * was once turned away from a slug keeps the longer name, also when the slug becomes free.
 */
export async function projectName(
  projectsDirectory: string | undefined,
  projectPath: string,
): Promise<ProjectName> {
  const slug = workspaceSlug(projectPath, sha256Hex);
  if (projectsDirectory === undefined) return { name: slug, exists: false };
  const names = new Set(entriesOf(projectsDirectory));
  // Hashing costs milliseconds, so it waits for a name that could be meant.
  const hasLongNames = [...names].some((name) => isLongNameOf(slug, name));
  const isThere = (name: string): boolean =>
    names.has(name) && holdsMore(join(projectsDirectory, name));
  if (hasLongNames && names.has(longName(slug, projectPath))) {
    const name = longName(slug, projectPath);
    return { name, exists: isThere(name) };
  }
  const owner = names.has(slug) ? await readRecord(join(projectsDirectory, slug)) : undefined;
  if (owner === undefined || owner.path === projectPath) {
    return { name: slug, exists: isThere(slug) };
  }
  return { name: longName(slug, projectPath), exists: false };
}

function holdsMore(home: string): boolean {
  const names = entriesOf(home);
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

/** A project home whose repository used to be elsewhere. */
export interface MovedProject {
  readonly home: string;
  readonly record: ProjectRecord;
}

/**
 * Looks for memory of the same repository under a path that is gone. git is asked only when there is a home
 * without a repository that had the same remote.
 */
export async function findMovedProject(
  projectsDirectory: string,
  project: { readonly path: string; readonly env: Environment },
): Promise<MovedProject | undefined> {
  const names = entriesOf(projectsDirectory).toSorted().slice(0, MAX_PROJECTS);
  const homes = await Promise.all(
    names.map(async (name) => {
      const home = join(projectsDirectory, name);
      const record = await readRecord(home);
      const isGone = record !== undefined && !existsSync(record.path);
      return isGone ? { home, record } : undefined;
    }),
  );
  const gone = homes.flatMap((home) => home ?? []);
  if (gone.length === 0) return undefined;
  const { gitRemotes, gitRootCommits } = await import("./git-facts.ts");
  const remotes = await gitRemotes(project.path);
  const likely = gone.filter(({ record }) => haveSameRemote(record.remotes, remotes));
  if (likely.length === 0) return undefined;
  const facts = { remotes, rootCommits: await gitRootCommits(project.path, project.env) };
  return likely.find(({ record }) => isSameRepository(record, facts));
}

/** Whose home it is; `undefined` when nobody wrote it down. */
export async function readRecord(home: string): Promise<ProjectRecord | undefined> {
  const file = await readTextFile(join(home, RECORD_FILE), 64 * 1024);
  return file.kind === "text" ? parseProjectRecord(file.text) : undefined;
}

/** The names in a directory; none when it cannot be read. */
export function entriesOf(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return [];
  }
}

import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { Environment } from "@caliban/common";
import { errorCode, readTextFile } from "@caliban/common/node";
import {
  haveSameRemote,
  isSameRepository,
  parseProjectRecord,
  type ProjectRecord,
} from "../../project/record.ts";
import { workspaceSlug } from "../../project/slug.ts";
import { sha256Hex } from "../sha256-hex.ts";

/** The file that says whose home it is. */
export const RECORD_FILE = "project.json";
/** The directory of a home that has its conversations. */
export const SESSIONS = "sessions";
const MOST_PROJECTS = 1_000;

/** The directory name under which a project's memory is kept. */
export interface ProjectName {
  readonly name: string;
  /** Whether there is anything under it yet besides conversations, which begin before anybody can think of notes. */
  readonly isThere: boolean;
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
  if (projectsDirectory === undefined) return { name: slug, isThere: false };
  const names = new Set(entriesOf(projectsDirectory));
  // Hashing costs milliseconds, so it waits for a name that could be meant.
  const hasLongNames = [...names].some((name) => isLongNameOf(slug, name));
  const isThere = (name: string): boolean =>
    names.has(name) && holdsMore(join(projectsDirectory, name));
  if (hasLongNames && names.has(longName(slug, projectPath))) {
    const name = longName(slug, projectPath);
    return { name, isThere: isThere(name) };
  }
  const owner = names.has(slug) ? await readRecord(join(projectsDirectory, slug)) : undefined;
  if (owner === undefined || owner.path === projectPath) {
    return { name: slug, isThere: isThere(slug) };
  }
  return { name: longName(slug, projectPath), isThere: false };
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
  const names = entriesOf(projectsDirectory).toSorted().slice(0, MOST_PROJECTS);
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

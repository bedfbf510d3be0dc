import { existsSync, readdirSync } from "node:fs";
import { mkdir, rename } from "node:fs/promises";
import { join } from "node:path";
import { errorCode, readTextFile, writeFileAtomic } from "@caliban/common/node";
import { terminalSafeLine } from "@caliban/common";
import { MemoryError } from "../errors.ts";
import {
  isSameRepository,
  parseProjectRecord,
  type ProjectRecord,
  renderProjectRecord,
} from "../project-record.ts";
import { workspaceSlug } from "../workspace-slug.ts";
import { gitFacts } from "./git-facts.ts";
import { sha256Hex } from "./sha256-hex.ts";

const RECORD_FILE = "project.json";
const MOST_PROJECTS = 1_000;

/** The directory name under which a project's memory is kept. */
export interface ProjectName {
  readonly name: string;
  /** Whether there is anything under it yet. */
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
  const longName = (): string => `${slug}-${sha256Hex(projectPath).slice(0, 8)}`;
  // Hashing costs milliseconds, so it waits for a name that could be meant.
  const hasLongNames = [...names].some((name) => isLongNameOf(slug, name));
  if (hasLongNames && names.has(longName())) return { name: longName(), isThere: true };
  const owner = names.has(slug) ? await readRecord(join(projectsDirectory, slug)) : undefined;
  if (owner === undefined || owner.path === projectPath) {
    return { name: slug, isThere: names.has(slug) };
  }
  return { name: longName(), isThere: false };
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
 * without a repository at all.
 */
export async function findMovedProject(
  projectsDirectory: string,
  projectPath: string,
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
  const facts = await gitFacts(projectPath);
  return gone.find(({ record }) => isSameRepository(record, facts));
}

export interface AdoptedProject {
  readonly from: string;
  readonly to: string;
}

/**
 * Gives the memory of a moved repository to its new place.
 * @throws MemoryError `NOTHING_TO_ADOPT` when there is none, or memory is here already.
 */
export async function adoptProject(
  projectsDirectory: string,
  projectPath: string,
): Promise<AdoptedProject> {
  const { name, isThere } = await projectName(projectsDirectory, projectPath);
  const target = join(projectsDirectory, name);
  if (isThere) {
    const sentence = `this workspace has memory of its own at ${terminalSafeLine(target)}; move or merge it by hand`;
    throw new MemoryError("NOTHING_TO_ADOPT", sentence);
  }
  const moved = await findMovedProject(projectsDirectory, projectPath);
  if (moved === undefined) {
    const sentence =
      "no memory was found of this repository under a path that is gone (same first commit, same remote)";
    throw new MemoryError("NOTHING_TO_ADOPT", sentence);
  }
  await mkdir(projectsDirectory, { recursive: true, mode: 0o700 });
  // The rename decides. After a crash right behind it the home still names the old path, and is found again.
  await rename(moved.home, target);
  await writeFileAtomic(
    join(target, RECORD_FILE),
    renderProjectRecord({ ...moved.record, path: projectPath }),
  );
  return { from: moved.record.path, to: projectPath };
}

async function readRecord(home: string): Promise<ProjectRecord | undefined> {
  const file = await readTextFile(join(home, RECORD_FILE), 64 * 1024);
  return file.kind === "text" ? parseProjectRecord(file.text) : undefined;
}

function entriesOf(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return [];
  }
}

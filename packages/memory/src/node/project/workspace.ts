import { realpathSync, type Stats, statSync } from "node:fs";
import { userInfo } from "node:os";
import { dirname, join, resolve } from "node:path";
import { errorCode, hasCode, readTextFile } from "@caliban/common/node";
import { terminalSafeLine } from "@caliban/common";
import { MemoryError } from "../../errors.ts";

/** Where a session works. Both are real paths. */
export interface Workspace {
  readonly startDirectory: string;
  /** The git top level above the start directory, else the start directory itself. */
  readonly root: string;
  /** Whether the root's `.git` is a file that names the repository, as in a linked worktree. */
  readonly hasGitFile: boolean;
  /** A repository above that somebody else owns, and that is therefore not taken for the workspace. */
  readonly untrustedRoot?: string | undefined;
}

/** @throws MemoryError `WORKSPACE_NOT_FOUND` when the directory is not there. */
export async function findWorkspace(directory: string): Promise<Workspace> {
  const startDirectory = realDirectory(directory);
  const top = await gitTopLevel(startDirectory);
  return {
    startDirectory,
    root: top?.directory ?? startDirectory,
    hasGitFile: top?.hasGitFile ?? false,
    untrustedRoot: top?.foreignRoot,
  };
}

function realDirectory(directory: string): string {
  const shown = terminalSafeLine(directory);
  try {
    const path = realpathSync.native(directory);
    if (statSync(path).isDirectory()) return path;
  } catch (error) {
    const why = hasCode(error, "ENOENT", "ENOTDIR")
      ? "does not exist"
      : `cannot be opened (${errorCode(error)})`;
    throw notFound(`${shown} ${why}`, error);
  }
  throw notFound(`${shown} is not a directory`);
}

function notFound(what: string, cause?: unknown): MemoryError {
  return new MemoryError("WORKSPACE_NOT_FOUND", `the workspace ${what}`, { cause });
}

/** The nearest directory above that git would take for one: an empty `.git` anybody can make. */
async function gitTopLevel(directory: string): Promise<TopLevel | undefined> {
  for (let current = directory; ; current = dirname(current)) {
    // Upwards one at a time: the nearest one counts.
    // oxlint-disable-next-line no-await-in-loop
    const git = await gitEntry(current);
    if (git !== undefined && current !== directory && isForeign(current)) {
      return { directory, hasGitFile: false, foreignRoot: current };
    }
    if (git !== undefined) return { directory: current, hasGitFile: git === "file" };
    if (dirname(current) === current) return undefined;
  }
}

/** `.git` is a directory with a HEAD in a main worktree, and a file that names one in a linked one or a submodule. */
async function gitEntry(directory: string): Promise<"directory" | "file" | undefined> {
  const path = join(directory, ".git");
  const git = statIfThere(path);
  if (git === undefined) return undefined;
  if (git.isDirectory()) return isGitDirectory(path) ? "directory" : undefined;
  const file = await readTextFile(path, 4096);
  const pointer = file.kind === "text" ? /^gitdir: *(.+)/.exec(file.text)?.[1]?.trim() : undefined;
  if (pointer === undefined) return undefined;
  return statIfThere(resolve(directory, pointer))?.isDirectory() === true ? "file" : undefined;
}

/** What git itself asks of a directory before it takes it for a repository. */
function isGitDirectory(path: string): boolean {
  const has = (name: string): boolean => statIfThere(join(path, name)) !== undefined;
  return has("HEAD") && has("objects") && has("refs");
}

interface TopLevel {
  readonly directory: string;
  readonly hasGitFile: boolean;
  readonly foreignRoot?: string;
}

/** As git has it: what others own above us (a `/tmp/.git`) does not govern us. Root may own what it likes. */
function isForeign(directory: string): boolean {
  const owner = statIfThere(join(directory, ".git"))?.uid;
  try {
    const { uid } = userInfo();
    return owner !== undefined && uid !== -1 && owner !== uid && owner !== 0;
  } catch (error) {
    // The user database has no entry for this user id, so nobody is known to be another.
    if (!(error instanceof Error)) throw error;
    return false;
  }
}

function statIfThere(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return undefined;
  }
}

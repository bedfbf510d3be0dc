import { realpathSync, statSync } from "node:fs";
import { userInfo } from "node:os";
import { dirname, join, resolve } from "node:path";
import { terminalSafeLine } from "@caliban/common";
import { errorCode, hasCode, readTextFile, statIfExists } from "@caliban/common/node";
import { MemoryError } from "../../errors.ts";

const MAX_POINTER_BYTES = 4096;

/** The directories a session works in. Both are real paths. */
export interface Workspace {
  readonly startDirectory: string;
  /** The git top level above the start directory, or the start directory itself. */
  readonly root: string;
  /** Whether the root's `.git` is a file that names the repository, as in a linked worktree. */
  readonly hasGitFile: boolean;
  /** A repository above that another user owns, and that is therefore not used as the workspace. */
  readonly untrustedRoot?: string | undefined;
}

/**
 * Finds the workspace of a directory: its git top level, or the directory itself.
 *
 * @throws MemoryError `WORKSPACE_NOT_FOUND` when the directory does not exist
 *
 * @example
 * import { findWorkspace } from "@caliban/memory/node";
 *
 * const { root } = await findWorkspace(process.cwd());
 * console.log(root);
 */
export async function findWorkspace(directory: string): Promise<Workspace> {
  const startDirectory = resolveDirectory(directory);
  const top = findTopLevel(startDirectory);
  return {
    startDirectory,
    root: top?.directory ?? startDirectory,
    hasGitFile: top?.hasGitFile ?? false,
    untrustedRoot: top?.untrustedRoot,
  };
}

function resolveDirectory(directory: unknown): string {
  if (typeof directory !== "string" || directory === "") {
    throw notFound("no workspace directory given; pass its path, such as process.cwd()");
  }
  const shown = terminalSafeLine(directory);
  try {
    const path = realpathSync.native(directory);
    if (statSync(path).isDirectory()) return path;
  } catch (error) {
    throw notFound(
      hasCode(error, "ENOENT", "ENOTDIR")
        ? `no such directory: ${shown}`
        : `cannot open the directory ${shown} (${errorCode(error)})`,
      error,
    );
  }
  throw notFound(`not a directory: ${shown}`);
}

function notFound(message: string, cause?: unknown): MemoryError {
  return new MemoryError("WORKSPACE_NOT_FOUND", message, { cause });
}

interface TopLevel {
  readonly directory: string;
  readonly hasGitFile: boolean;
  readonly untrustedRoot?: string;
}

/** The nearest directory above that git would accept: anyone can create an empty `.git`. */
function findTopLevel(directory: string): TopLevel | undefined {
  for (let current = directory; ; current = dirname(current)) {
    const git = findGitEntry(current);
    if (git !== undefined && current !== directory && isOwnedByAnotherUser(current)) {
      return { directory, hasGitFile: false, untrustedRoot: current };
    }
    if (git !== undefined) return { directory: current, hasGitFile: git === "file" };
    if (dirname(current) === current) return undefined;
  }
}

/** In a main worktree `.git` is a directory with a HEAD; in a linked worktree or submodule, a file that names one. */
function findGitEntry(directory: string): "directory" | "file" | undefined {
  const path = join(directory, ".git");
  const git = statIfExists(path);
  if (git === undefined) return undefined;
  if (git.isDirectory()) return isGitDirectory(path) ? "directory" : undefined;
  const file = readTextFile(path, MAX_POINTER_BYTES);
  const pointer = file.kind === "text" ? /^gitdir: *(.+)/.exec(file.text)?.[1]?.trim() : undefined;
  if (pointer === undefined) return undefined;
  return statIfExists(resolve(directory, pointer))?.isDirectory() === true ? "file" : undefined;
}

/** The check that git itself makes before it takes a directory for a repository. */
function isGitDirectory(path: string): boolean {
  return ["HEAD", "objects", "refs"].every((name) => statIfExists(join(path, name)) !== undefined);
}

/** As in git: a repository above us that another user owns (such as `/tmp/.git`) is not ours. Root may own any. */
function isOwnedByAnotherUser(directory: string): boolean {
  const owner = statIfExists(join(directory, ".git"))?.uid;
  try {
    const { uid } = userInfo();
    return owner !== undefined && uid !== -1 && owner !== uid && owner !== 0;
  } catch (error) {
    // The user database has no entry for this user id, so there is nothing to compare with.
    if (!(error instanceof Error)) throw error;
    return false;
  }
}

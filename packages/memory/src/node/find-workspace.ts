import type { Stats } from "node:fs";
import { realpath, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { errorCode, hasCode, readTextFile } from "@caliban/common/node";
import { terminalSafeLine } from "@caliban/common";
import { MemoryError } from "../errors.ts";

/** Where a session works. Both are real paths. */
export interface Workspace {
  readonly startDirectory: string;
  /** The git top level above the start directory, else the start directory itself. */
  readonly root: string;
}

/** @throws MemoryError `WORKSPACE_NOT_FOUND` when the directory is not there. */
export async function findWorkspace(directory: string): Promise<Workspace> {
  const startDirectory = await realDirectory(directory);
  return { startDirectory, root: (await gitTopLevel(startDirectory)) ?? startDirectory };
}

async function realDirectory(directory: string): Promise<string> {
  const shown = terminalSafeLine(directory);
  try {
    const path = await realpath(directory);
    if ((await stat(path)).isDirectory()) return path;
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
async function gitTopLevel(directory: string): Promise<string | undefined> {
  for (let current = directory; ; current = dirname(current)) {
    // Upwards one at a time: the nearest one counts.
    // oxlint-disable-next-line no-await-in-loop
    if (await isGitTopLevel(current)) return current;
    if (dirname(current) === current) return undefined;
  }
}

/** `.git` is a directory with a HEAD in a main worktree, and a file that names one in a linked one or a submodule. */
async function isGitTopLevel(directory: string): Promise<boolean> {
  const git = await statIfThere(join(directory, ".git"));
  if (git === undefined) return false;
  if (git.isDirectory()) return (await statIfThere(join(directory, ".git", "HEAD"))) !== undefined;
  const file = await readTextFile(join(directory, ".git"), 4096);
  return file.kind === "text" && file.text.startsWith("gitdir:");
}

async function statIfThere(path: string): Promise<Stats | undefined> {
  try {
    return await stat(path);
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return undefined;
  }
}

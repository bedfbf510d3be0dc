import { realpath, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { errorCode, hasCode } from "@caliban/common/node";
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
  const shown = terminalSafeLine(resolve(directory));
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

/** `.git` is a directory in a main worktree and a file in a linked one or a submodule: both end the search. */
async function gitTopLevel(directory: string): Promise<string | undefined> {
  for (let current = directory; ; current = dirname(current)) {
    // Upwards one at a time: the nearest one counts.
    // oxlint-disable-next-line no-await-in-loop
    if (await exists(join(current, ".git"))) return current;
    if (dirname(current) === current) return undefined;
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return false;
  }
}

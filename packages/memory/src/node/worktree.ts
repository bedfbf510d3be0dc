import { realpath } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { terminalSafeLine } from "@caliban/common";
import { errorCode, readTextFile } from "@caliban/common/node";
import type { Notice } from "../receipt.ts";

/** The path that names a project, whichever of its worktrees one stands in. */
export interface ProjectPath {
  readonly path: string;
  readonly notices: readonly Notice[];
}

/**
 * A linked worktree is its main worktree's project, when the repository confirms it: a `.git` file alone anybody
 * can write. Worktrees of a bare repository are the project of that repository. A submodule is its own project.
 */
export async function projectPathOf(workspaceRoot: string): Promise<ProjectPath> {
  const own: ProjectPath = { path: workspaceRoot, notices: [] };
  const gitFile = join(workspaceRoot, ".git");
  const pointer = /^gitdir: *(.+)$/m.exec((await textOf(gitFile)) ?? "")?.[1]?.trim();
  if (pointer === undefined) return own;
  const gitDirectory = await realOf(resolve(workspaceRoot, pointer));
  const commonPath = gitDirectory && (await textOf(join(gitDirectory, "commondir")))?.trim();
  if (gitDirectory === undefined || commonPath === undefined) return own;
  const common = await realOf(resolve(gitDirectory, commonPath));
  if (common === undefined || !(await isConfirmed({ gitFile, gitDirectory, common }))) {
    return { ...own, notices: [unproven(workspaceRoot)] };
  }
  return { path: basename(common) === ".git" ? dirname(common) : common, notices: [] };
}

/** The repository's own list of worktrees must point back at this one. */
async function isConfirmed(place: {
  readonly gitFile: string;
  readonly gitDirectory: string;
  readonly common: string;
}): Promise<boolean> {
  const { gitFile, gitDirectory, common } = place;
  if (dirname(gitDirectory) !== join(common, "worktrees")) return false;
  const back = (await textOf(join(gitDirectory, "gitdir")))?.trim();
  if (back === undefined) return false;
  return (await realOf(resolve(gitDirectory, back))) === (await realOf(gitFile));
}

function unproven(workspaceRoot: string): Notice {
  const shown = terminalSafeLine(join(workspaceRoot, ".git"));
  const sentence = `${shown} names a repository that does not list this worktree, so it shares none of its memory; \`git worktree repair\` may help.`;
  return { code: "WORKTREE_UNPROVEN", sentence };
}

async function textOf(path: string): Promise<string | undefined> {
  const file = await readTextFile(path, 4096);
  return file.kind === "text" ? file.text : undefined;
}

async function realOf(path: string): Promise<string | undefined> {
  try {
    return await realpath(path);
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return undefined;
  }
}

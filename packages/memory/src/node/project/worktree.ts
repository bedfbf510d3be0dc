import { basename, dirname, join, resolve } from "node:path";
import { terminalSafeLine } from "@caliban/common";
import { readTextFile, realPathIfExists } from "@caliban/common/node";
import type { MemoryNotice } from "../../prompt/receipt.ts";
import type { Workspace } from "./workspace.ts";

/** The path that names a project, whichever of its worktrees one stands in. */
export interface ProjectPath {
  readonly path: string;
  readonly notices: readonly MemoryNotice[];
}

/**
 * A linked worktree is its main worktree's project, when the repository confirms it: a `.git` file alone anybody
 * can write. Worktrees of a bare repository are the project of that repository. A submodule is its own project.
 */
export async function resolveProjectPath({ root, hasGitFile }: Workspace): Promise<ProjectPath> {
  const own: ProjectPath = { path: root, notices: [] };
  if (!hasGitFile) return own;
  const linked = await linkedWorktree(root);
  if (linked === undefined) return own;
  if (!(await isConfirmed(linked))) return { ...own, notices: [unproven(root)] };
  const { common } = linked;
  return { path: basename(common) === ".git" ? dirname(common) : common, notices: [] };
}

interface LinkedWorktree {
  readonly gitFile: string;
  /** The worktree's own directory in the repository. */
  readonly gitDirectory: string;
  /** What all worktrees of the repository have in common. */
  readonly common: string;
}

/** What the `.git` file claims; `undefined` when it claims to be no worktree, as in a submodule. */
async function linkedWorktree(root: string): Promise<LinkedWorktree | undefined> {
  const gitFile = join(root, ".git");
  const pointer = /^gitdir: *(.+)$/m.exec((await textOf(gitFile)) ?? "")?.[1]?.trim() ?? "";
  const gitDirectory = realPathIfExists(resolve(root, pointer));
  if (gitDirectory === undefined) return undefined;
  const commonPath = (await textOf(join(gitDirectory, "commondir")))?.trim();
  if (commonPath === undefined) return undefined;
  const common = realPathIfExists(resolve(gitDirectory, commonPath));
  return common === undefined ? undefined : { gitFile, gitDirectory, common };
}

/** The repository's own list of worktrees must point back at this one. */
async function isConfirmed({ gitFile, gitDirectory, common }: LinkedWorktree): Promise<boolean> {
  if (dirname(gitDirectory) !== join(common, "worktrees")) return false;
  const back = (await textOf(join(gitDirectory, "gitdir")))?.trim();
  if (back === undefined) return false;
  return realPathIfExists(resolve(gitDirectory, back)) === realPathIfExists(gitFile);
}

function unproven(workspaceRoot: string): MemoryNotice {
  const shown = terminalSafeLine(join(workspaceRoot, ".git"));
  const sentence = `${shown} names a repository that does not list this worktree, so it shares none of its memory; \`git worktree repair\` may help.`;
  return { code: "WORKTREE_UNPROVEN", message: sentence };
}

async function textOf(path: string): Promise<string | undefined> {
  const file = await readTextFile(path, 4096);
  return file.kind === "text" ? file.text : undefined;
}

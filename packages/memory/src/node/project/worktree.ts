import { checkArguments } from "../../check-arguments.ts";
import { basename, dirname, join, resolve } from "node:path";
import { terminalSafeLine } from "@caliban/common";
import { readTextFile, realPathIfExists } from "@caliban/common/node";
import type { MemoryNotice } from "../../notice.ts";
import type { Workspace } from "./workspace.ts";

const MAX_POINTER_BYTES = 4096;

/** The path that identifies a project, the same in all of its worktrees. */
export interface ProjectPath {
  readonly path: string;
  readonly notices: readonly MemoryNotice[];
}

/**
 * A linked worktree is the same project as its main worktree, provided that the repository confirms it: anyone can write
 * a `.git` file. Worktrees of a bare repository are the project of that repository. A submodule is its own project.
 */
export function resolveProjectPath(workspace: Workspace): ProjectPath {
  checkArguments("resolveProjectPath", workspace, { root: "string" });
  const { root, hasGitFile } = workspace;
  const own: ProjectPath = { path: root, notices: [] };
  if (!hasGitFile) return own;
  const linked = readLinkedWorktree(root);
  if (linked === undefined) return own;
  if (!isConfirmed(linked)) return { ...own, notices: [unconfirmedNotice(root)] };
  const { common } = linked;
  return { path: basename(common) === ".git" ? dirname(common) : common, notices: [] };
}

interface LinkedWorktree {
  readonly gitFile: string;
  /** The worktree's own directory in the repository. */
  readonly gitDirectory: string;
  /** The directory that all worktrees of the repository share. */
  readonly common: string;
}

/** Reads what the `.git` file claims; `undefined` when it does not claim to be a worktree, as in a submodule. */
function readLinkedWorktree(root: string): LinkedWorktree | undefined {
  const gitFile = join(root, ".git");
  const pointer = /^gitdir: *(.+)$/m.exec(readText(gitFile) ?? "")?.[1]?.trim() ?? "";
  const gitDirectory = realPathIfExists(resolve(root, pointer));
  if (gitDirectory === undefined) return undefined;
  const commonPath = readText(join(gitDirectory, "commondir"))?.trim();
  if (commonPath === undefined) return undefined;
  const common = realPathIfExists(resolve(gitDirectory, commonPath));
  return common === undefined ? undefined : { gitFile, gitDirectory, common };
}

/** The repository's own list of worktrees must point back to this one. */
function isConfirmed({ gitFile, gitDirectory, common }: LinkedWorktree): boolean {
  if (dirname(gitDirectory) !== join(common, "worktrees")) return false;
  const back = readText(join(gitDirectory, "gitdir"))?.trim();
  if (back === undefined) return false;
  return realPathIfExists(resolve(gitDirectory, back)) === realPathIfExists(gitFile);
}

function unconfirmedNotice(workspaceRoot: string): MemoryNotice {
  const shown = terminalSafeLine(join(workspaceRoot, ".git"));
  const message = `${shown} names a repository that does not list this worktree, so its memory is not shared. Try: git worktree repair`;
  return { code: "WORKTREE_UNPROVEN", message };
}

function readText(path: string): string | undefined {
  const file = readTextFile(path, MAX_POINTER_BYTES);
  return file.kind === "text" ? file.text : undefined;
}

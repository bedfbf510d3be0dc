import { basename, dirname, join, resolve } from "node:path";
import { lstatIfExists, realPathIfExists } from "@caliban/common/node";
import { isWithin, type PathRule } from "../../sandbox/sandbox-policy.ts";
import { readSmallFile } from "../protection/small-file.ts";

/** The Git directories of a work tree that commands may write, and what in them they may not. */
export interface GitAccess {
  readonly rules: readonly PathRule[];
  /** Paths that decide what Git runs. They do not have to exist. */
  readonly controls: readonly string[];
  /** The steps that are left of a rebase in progress, some of which can be commands. They do not have to exist. */
  readonly rebaseSteps: readonly string[];
}

const NO_ACCESS: GitAccess = { rules: [], controls: [], rebaseSteps: [] };

/** Names in a Git directory by which Git finds programs to run, or other directories that do. */
const CONTROLS = ["hooks", "config", "config.worktree", "modules", "worktrees", "commondir"];
const WORKTREE_CONTROLS = ["config.worktree", "commondir", "gitdir"];

/**
 * Lets commands commit: objects, references and the index are writable. For a linked worktree, this includes the
 * repository it belongs to, if that lists the worktree, too: a pointer alone could name any directory.
 */
export function gitAccess(root: string): GitAccess {
  const git = join(root, ".git");
  const stats = lstatIfExists(git);
  if (stats?.isDirectory() === true) return accessTo([git], controlsOf(git, CONTROLS));
  if (stats?.isFile() !== true) return NO_ACCESS;
  const linked = linkedDirectories(root, git);
  if (linked === undefined) return NO_ACCESS;
  const { own, common } = linked;
  return accessTo(
    [common, own],
    [...controlsOf(common, CONTROLS), ...controlsOf(own, WORKTREE_CONTROLS)],
  );
}

function accessTo(writable: readonly string[], controls: readonly string[]): GitAccess {
  const rules: readonly PathRule[] = [
    ...writable.map((path) => ({ path, kind: "directory", access: "write" }) as const),
    ...controls.filter(isNotLink).map((path) => {
      const kind = lstatIfExists(path)?.isFile() === true ? "file" : "directory";
      return { path, kind, access: "read" } as const;
    }),
  ];
  const rebaseSteps = writable.map((path) => join(path, "rebase-merge/git-rebase-todo"));
  return { rules, controls, rebaseSteps };
}

/** The target of a link is protected itself, and the link is restored if a command replaces it. */
function isNotLink(path: string): boolean {
  return lstatIfExists(path)?.isSymbolicLink() !== true;
}

function controlsOf(directory: string, names: readonly string[]): readonly string[] {
  return names.map((name) => join(directory, name));
}

interface LinkedDirectories {
  readonly own: string;
  readonly common: string;
}

function linkedDirectories(root: string, git: string): LinkedDirectories | undefined {
  const pointer = /^gitdir: *(.+)$/m.exec(readSmallFile(git))?.[1]?.trim();
  const own = pointer === undefined ? undefined : realPathIfExists(resolve(root, pointer));
  if (own === undefined) return undefined;
  const common = realPathIfExists(resolve(own, readSmallFile(join(own, "commondir")).trim()));
  const back = readSmallFile(join(own, "gitdir")).trim();
  const isListed =
    common !== undefined &&
    dirname(own) === join(common, "worktrees") &&
    basename(own) !== "" &&
    back !== "" &&
    realPathIfExists(resolve(own, back)) === realPathIfExists(git) &&
    !isWithin(common, root);
  return isListed ? { own, common } : undefined;
}

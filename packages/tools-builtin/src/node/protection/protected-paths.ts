import { readlinkSync } from "node:fs";
import { dirname, join, resolve, sep } from "node:path";
import { expandTilde, pathStyleOf, terminalSafeLine } from "@caliban/common";
import { errorCode, isSymlink, realPathIfExists, statIfExists } from "@caliban/common/node";
import { protectedDirectoryReason, protectedFileReason } from "../../protection/protected-names.ts";
import { realPathOf } from "../real-path.ts";
import { displayPath } from "../resolve-path.ts";
import type { ToolWorkspace } from "../tool-workspace.ts";
import { type ListDirectory, readDirectory } from "./directory-lister.ts";
import { gitConfigPaths } from "./git-config.ts";
import { MAX_POINTER_BYTES, readSmallFile } from "./small-file.ts";

/** The real path of a file or directory, and a sentence that says why every change of it needs approval. */
export interface ProtectedRealPath {
  readonly path: string;
  readonly reason: string;
}

/** Where to look for links, and which of them matter. */
interface Walk {
  readonly root: string;
  /** Relative to the root, with `/`. Empty for the root itself. */
  readonly from: string;
  readonly maxDirectories: number;
  /** Whether to enter directories through links. */
  readonly followLinks: boolean;
  /** Says why the target of a link is protected, by the link's path below the root. */
  readonly reasonOf: (name: string) => string | undefined;
}

const IN_PROMPTS = "is loaded into the prompt, in this session and in others";
const MAX_GUARDED_DIRECTORIES = 200;
/** Limits the time, because this runs before a write. */
const MAX_WORKSPACE_DIRECTORIES = 2_000;
const MAX_CONFIG_BYTES = 262_144;
/** Git config files can include each other. */
const MAX_CONFIGS = 20;
const GUARDED = [".caliban", ".claude"];
// Worktrees of agents are workspaces of their own, with links that lead back here.
const NEVER_WALKED = /(?:^|\/)(?:\.git|node_modules|\.claude\/worktrees)$/;

/**
 * Finds what is protected because a link leads there or because the session says so: instruction files, rules, skills,
 * settings and hooks can have any name.
 */
export function findProtectedPaths(
  workspace: ToolWorkspace,
  activatedPaths: ReadonlySet<string>,
  list: ListDirectory = readDirectory,
): readonly ProtectedRealPath[] {
  const { protectedPaths, instructionPaths = [] } = workspace;
  const loaded = [...new Set([...instructionPaths, ...activatedPaths])];
  const configured = [
    ...(protectedPaths?.() ?? []),
    ...loaded.map((path) => ({ path, reason: IN_PROMPTS })),
  ].map(({ path, reason }): ProtectedRealPath => ({
    path: realPathOf(path),
    reason: `${displayPath(workspace, path)} ${reason}.`,
  }));
  const linked = configured.flatMap(({ path, reason }) =>
    linkTargets(
      guardedWalk(path, "", () => reason),
      list,
    ),
  );
  const roots = [workspace.root, ...workspace.additionalDirectories];
  return [
    ...configured,
    ...linked,
    ...roots.flatMap((root) => protectedBelow(workspace, root, list)),
  ];
}

/** Finds the targets of links below a root whose names are protected. */
function protectedBelow(
  workspace: ToolWorkspace,
  root: string,
  list: ListDirectory,
): readonly ProtectedRealPath[] {
  const guarded = GUARDED.flatMap((name) => {
    const reason = protectedDirectoryReason(name);
    return linkTargets(
      guardedWalk(root, name, () => reason),
      list,
    );
  });
  const nested = linkTargets(
    {
      root,
      from: "",
      maxDirectories: MAX_WORKSPACE_DIRECTORIES,
      followLinks: false,
      reasonOf: (name) => protectedFileReason(name) ?? protectedDirectoryReason(name),
    },
    list,
  );
  const git = gitDirectories(root);
  return [
    ...guarded,
    ...git.flatMap(protectedInGit),
    ...protectedByGitConfig(workspace, root, git),
    ...nested,
  ];
}

function protectedInGit(directory: string): readonly ProtectedRealPath[] {
  const reason = protectedDirectoryReason(".git") ?? "";
  const walk = { root: directory, maxDirectories: 1, followLinks: false, reasonOf: () => reason };
  const links = ["", "hooks", "info"].flatMap((from) =>
    linkTargets({ ...walk, from }, readDirectory),
  );
  return [{ path: realPathOf(directory), reason }, ...links];
}

/** Finds the hook directories, programs and additional config files that a repository's config names. */
function protectedByGitConfig(
  { home, platform }: ToolWorkspace,
  root: string,
  directories: readonly string[],
): readonly ProtectedRealPath[] {
  const found: ProtectedRealPath[] = [];
  const add = (base: string, name: string): string => {
    const path = resolve(base, expandTilde(pathStyleOf(platform), name, home));
    const reason = `${terminalSafeLine(name)} is named in the Git config, and Git may run what is in it.`;
    const walk = { root: path, from: "", maxDirectories: 1, followLinks: false };
    found.push({ path: isSymlink(path) ? linkTarget(path) : realPathOf(path), reason });
    found.push(...linkTargets({ ...walk, reasonOf: () => reason }, readDirectory));
    return path;
  };
  const queue = directories.flatMap((git) => [join(git, "config"), join(git, "config.worktree")]);
  for (const [count, file] of queue.entries()) {
    if (count >= MAX_CONFIGS) break;
    const { hooks, includes, words } = gitConfigPaths(readSmallFile(file, MAX_CONFIG_BYTES));
    for (const name of hooks) add(root, name);
    for (const name of words) if (isFileBelow(root, name)) add(root, name);
    queue.push(...includes.map((name) => add(dirname(realPathIfExists(file) ?? file), name)));
  }
  return found;
}

function guardedWalk(root: string, from: string, reasonOf: Walk["reasonOf"]): Walk {
  return { root, from, maxDirectories: MAX_GUARDED_DIRECTORIES, followLinks: true, reasonOf };
}

/** Finds the targets of the links at or below a directory, breadth first. */
function linkTargets(walk: Walk, list: ListDirectory): readonly ProtectedRealPath[] {
  const { root, from, maxDirectories, followLinks, reasonOf } = walk;
  const found: ProtectedRealPath[] = [];
  const add = (name: string): void => {
    const reason = reasonOf(name);
    if (reason !== undefined) found.push({ path: linkTarget(join(root, name)), reason });
  };
  if (followLinks && isSymlink(join(root, from))) add(from);
  const queue = [from];
  for (let count = 0; count < maxDirectories; count++) {
    const directory = queue.shift();
    if (directory === undefined) break;
    const { links, directories } = list(join(root, directory));
    const below = (name: string): string => (directory === "" ? name : `${directory}/${name}`);
    for (const link of links) add(below(link));
    const entered = followLinks ? [...directories, ...links] : directories;
    queue.push(...entered.map(below).filter((name) => !NEVER_WALKED.test(name)));
  }
  return found;
}

/** The Git directories of a repository: for a worktree its own, and the one it shares with others. */
function gitDirectories(root: string): readonly string[] {
  const git = join(root, ".git");
  const pointer = /^gitdir: *(.+)$/m.exec(readSmallFile(git))?.[1]?.trim();
  const own = pointer === undefined ? git : resolve(root, pointer);
  const common = readSmallFile(join(own, "commondir")).trim();
  return common === "" ? [own] : [own, resolve(own, common)];
}

/** Where a link leads, even if nothing exists there yet: a file created there is found through the link. */
function linkTarget(link: string): string {
  const real = realPathIfExists(link);
  if (real !== undefined) return real;
  try {
    const target = readlinkSync(link);
    return realPathOf(resolve(realPathIfExists(dirname(link)) ?? dirname(link), target));
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return link;
  }
}

/** Git runs programs in the top directory of the work tree. */
function isFileBelow(root: string, name: string): boolean {
  if (name.startsWith("-") || name.length > MAX_POINTER_BYTES) return false;
  const path = resolve(root, name);
  return path.startsWith(root + sep) && statIfExists(path)?.isFile() === true;
}

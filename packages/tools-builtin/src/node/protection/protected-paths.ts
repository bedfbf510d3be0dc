import { type Dirent, readdirSync, readFileSync, readlinkSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { expandTilde, pathStyleOf, terminalSafeLine } from "@caliban/common";
import { errorCode, realPathIfExists } from "@caliban/common/node";
import { gitConfigPaths } from "./git-config.ts";
import { realPathOf, displayPath } from "../resolve-path.ts";
import { guardedReason, instructionReason } from "./protected-names.ts";
import type { ToolWorkspace } from "../tool-workspace.ts";

/** A file or directory by its real path, and the sentence on why whatever changes it is asked about. */
export interface ProtectedRealPath {
  readonly path: string;
  readonly reason: string;
}

/** Where to look for links, and which of them matter. */
interface Walk {
  readonly root: string;
  /** Below the root, with `/`; empty for the root itself. */
  readonly from: string;
  readonly mostDirectories: number;
  /** Also into directories behind links. */
  readonly throughLinks: boolean;
  /** Why what a link leads to is protected, by its name below the root; nothing for one that matters to nobody. */
  readonly reasonOf: (name: string) => string | undefined;
}

const MOST_GUARDED = 200;
/** Of a workspace: a bound on time, because this happens before a write. */
const MOST_WALKED = 2_000;
const MOST_POINTER_BYTES = 4_096;
const MOST_CONFIG_BYTES = 262_144;
/** Config files of Git that include each other. */
const MOST_CONFIGS = 20;
const GUARDED = [".caliban", ".claude"];
// Worktrees of agents are workspaces of their own, whose links lead back here.
const NEVER_WALKED = /(?:^|\/)(?:\.git|node_modules|\.claude\/worktrees)$/;

/**
 * What is protected by where a link leads, or because the session says so: files of instructions, rules, skills, settings
 * and hooks may lie under any name.
 */
export function findProtectedPaths(workspace: ToolWorkspace): readonly ProtectedRealPath[] {
  const given = workspace.protectedPaths?.() ?? [];
  const sentence = (path: string, reason: string): string =>
    `${displayPath(workspace, path)} ${reason}.`;
  const named = given.map(({ path, reason }): ProtectedRealPath => {
    return { path: realPathOf(path), reason: sentence(path, reason) };
  });
  const behindNamed = named.flatMap(({ path, reason }) =>
    linksBelow(guardedWalk(path, "", () => reason)),
  );
  const roots = [workspace.root, ...workspace.additionalDirectories];
  return [...named, ...behindNamed, ...roots.flatMap((root) => linkedFromNames(workspace, root))];
}

/** What the links of a root lead to that have a name by which something is found. */
function linkedFromNames(workspace: ToolWorkspace, root: string): readonly ProtectedRealPath[] {
  const guarded = GUARDED.flatMap((name) => {
    const reason = guardedReason(name);
    return linksBelow(guardedWalk(root, name, () => reason));
  });
  const nested = linksBelow({
    root,
    from: "",
    mostDirectories: MOST_WALKED,
    throughLinks: false,
    reasonOf: (name) => instructionReason(name) ?? guardedReason(name),
  });
  const git = gitDirectories(root);
  return [...guarded, ...git.flatMap(ofGit), ...namedByGit(workspace, root, git), ...nested];
}

function ofGit(directory: string): readonly ProtectedRealPath[] {
  const reason = guardedReason(".git") ?? "";
  const walk = { root: directory, mostDirectories: 1, throughLinks: false, reasonOf: () => reason };
  const links = ["", "hooks", "info"].flatMap((from) => linksBelow({ ...walk, from }));
  return [{ path: realPathOf(directory), reason }, ...links];
}

/** The directories of hooks and the further config files that the config of a repository names. */
function namedByGit(
  { home, platform }: ToolWorkspace,
  root: string,
  directories: readonly string[],
): readonly ProtectedRealPath[] {
  const found: ProtectedRealPath[] = [];
  const add = (base: string, name: string): string => {
    const path = resolve(base, expandTilde(pathStyleOf(platform), name, home));
    const reason = `${terminalSafeLine(name)} is named by the config of Git, which may run what stands in it.`;
    const walk = { root: path, from: "", mostDirectories: 1, throughLinks: false };
    found.push({ path: isLink(path) ? endOfLink(path) : realPathOf(path), reason });
    found.push(...linksBelow({ ...walk, reasonOf: () => reason }));
    return path;
  };
  const queue = directories.flatMap((git) => [join(git, "config"), join(git, "config.worktree")]);
  for (const [count, file] of queue.entries()) {
    if (count >= MOST_CONFIGS) break;
    const { hooks, includes } = gitConfigPaths(textOf(file, MOST_CONFIG_BYTES));
    for (const name of hooks) add(root, name);
    queue.push(...includes.map((name) => add(dirname(realPathIfExists(file) ?? file), name)));
  }
  return found;
}

function guardedWalk(root: string, from: string, reasonOf: Walk["reasonOf"]): Walk {
  return { root, from, mostDirectories: MOST_GUARDED, throughLinks: true, reasonOf };
}

/** The ends of links at or below a place, those nearest to it first. */
function linksBelow(walk: Walk): readonly ProtectedRealPath[] {
  const { root, from, mostDirectories, throughLinks, reasonOf } = walk;
  const found: ProtectedRealPath[] = [];
  const add = (name: string): void => {
    const reason = reasonOf(name);
    if (reason !== undefined) found.push({ path: endOfLink(join(root, name)), reason });
  };
  if (throughLinks && isLink(join(root, from))) add(from);
  const queue = [from];
  for (let count = 0; count < mostDirectories; count++) {
    const below = queue.shift();
    if (below === undefined) break;
    for (const entry of entriesOf(join(root, below))) {
      const name = below === "" ? entry.name : `${below}/${entry.name}`;
      if (entry.isSymbolicLink()) add(name);
      const isEntered = entry.isDirectory() || (throughLinks && entry.isSymbolicLink());
      if (isEntered && !NEVER_WALKED.test(name)) queue.push(name);
    }
  }
  return found;
}

/** The directories of a repository: of a worktree its own, and the one it has in common with others. */
function gitDirectories(root: string): readonly string[] {
  const git = join(root, ".git");
  const pointer = /^gitdir: *(.+)$/m.exec(textOf(git))?.[1]?.trim();
  const own = pointer === undefined ? git : resolve(root, pointer);
  const common = textOf(join(own, "commondir")).trim();
  return common === "" ? [own] : [own, resolve(own, common)];
}

/** Where a link leads, also when nothing is there yet: whoever makes it is found through the link. */
function endOfLink(link: string): string {
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

function isLink(path: string): boolean {
  try {
    return readlinkSync(path) !== "";
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return false;
  }
}

function entriesOf(directory: string): readonly Dirent[] {
  try {
    return readdirSync(directory, { withFileTypes: true });
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return [];
  }
}

/** Empty for what is no short file. */
function textOf(path: string, mostBytes = MOST_POINTER_BYTES): string {
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    return stats?.isFile() === true && stats.size <= mostBytes ? readFileSync(path, "utf8") : "";
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return "";
  }
}

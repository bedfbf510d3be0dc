import { statSync } from "node:fs";
import { basename, dirname, join, relative, sep } from "node:path";
import { errorCode, realPathIfExists } from "@caliban/common/node";
import type { ToolState } from "../tool-state.ts";
import { isInside, type ResolvedPath, realRoot } from "../resolve-path.ts";
import { guardedReason, instructionReason, STEERING_NAMES } from "./protected-names.ts";
import type { ToolWorkspace } from "../tool-workspace.ts";

/** Why a change of this file is asked about every time; `undefined` for any other. */
export function findProtectionReason(
  { workspace, protectedPaths: protectedPlaces }: Pick<ToolState, "workspace" | "protectedPlaces">,
  located: ResolvedPath,
): string | undefined {
  // As it was asked for, too: an instruction file may be a link to a file of another name.
  for (const path of [located.path, located.requested]) {
    const reason = reasonByName(workspace, path);
    if (reason !== undefined) return reason;
  }
  return (
    reasonByPlace(workspace, located.path) ??
    protectedPlaces().find(({ path }) => isInside(path, located.path))?.reason
  );
}

function reasonByName(workspace: ToolWorkspace, path: string): string | undefined {
  const name = path.split(sep).slice(-2).join("/");
  return instructionReason(name) ?? guardedReason(nameBelowRoot(workspace, path));
}

/** The root may itself lie below a guarded name, as worktrees of agents do. */
function nameBelowRoot(workspace: ToolWorkspace, path: string): string {
  const base = [realRoot(workspace), workspace.root].find((root) => isInside(root, path));
  return (base === undefined ? path : relative(base, path)).split(sep).join("/");
}

function reasonByPlace(workspace: ToolWorkspace, path: string): string | undefined {
  const root = realRoot(workspace);
  for (let directory = dirname(path); ; directory = dirname(directory)) {
    if (isGitDirectory(partsOfGit(directory, path))) {
      return guardedReason(".git")?.replace(".git", () => basename(directory));
    }
    const link = STEERING_NAMES.find((name) => realPathIfExists(join(directory, name)) === path);
    if (link !== undefined) return instructionReason(link);
    if (directory === root || dirname(directory) === directory) return undefined;
  }
}

/** By which Git knows a directory of its own, or what it runs and obeys there. */
const GIT_FILES = ["HEAD", "commondir", "config"];
const GIT_DIRECTORIES = ["objects", "refs", "hooks"];

interface PartsOfGit {
  /** What would be there after a write. */
  readonly has: (name: string) => boolean;
  /** Whether the write itself is to one of them. */
  readonly isTouched: boolean;
}

function partsOfGit(directory: string, path: string): PartsOfGit {
  const [first = "", ...below] = relative(directory, path).split(sep);
  const known = below.length === 0 ? GIT_FILES : GIT_DIRECTORIES;
  // Some file systems take names that differ in case for one.
  const touched = known.find((name) => name.toLowerCase() === first.toLowerCase());
  const there = new Set([
    ...GIT_FILES.filter((name) => kindOf(join(directory, name)) === "file"),
    ...GIT_DIRECTORIES.filter((name) => kindOf(join(directory, name)) === "directory"),
  ]);
  return {
    has: (name) => name === touched || there.has(name),
    isTouched: touched !== undefined,
  };
}

/**
 * Whether it is one, or a write brings it nearer to be one: whoever makes it part by part is asked before the last of them.
 * A directory `hooks` beside another is a usual one of sources, and says nothing without a file of Git.
 */
function isGitDirectory({ has, isTouched }: PartsOfGit): boolean {
  if (has("HEAD") && (has("commondir") || (has("objects") && has("refs")))) return true;
  if (!isTouched) return false;
  const files = GIT_FILES.filter(has).length;
  const directories = GIT_DIRECTORIES.filter(has).length;
  return (files > 0 && files + directories > 1) || (has("objects") && has("refs"));
}

function kindOf(path: string): "file" | "directory" | undefined {
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats === undefined) return undefined;
    return stats.isDirectory() ? "directory" : "file";
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return undefined;
  }
}

import { basename, dirname, join, relative, sep } from "node:path";
import { realPathIfExists, statIfExists } from "@caliban/common/node";
import {
  INSTRUCTION_FILE_NAMES,
  protectedDirectoryReason,
  protectedFileReason,
} from "../../protection/protected-names.ts";
import { isInside } from "../real-path.ts";
import { realRoot, type ResolvedPath } from "../resolve-path.ts";
import type { ToolState } from "../tool-state.ts";
import type { ToolWorkspace } from "../tool-workspace.ts";

/** Says why a change of this file always needs approval. Returns `undefined` for any other file. */
export function findProtectionReason(
  { workspace, protectedPaths }: Pick<ToolState, "workspace" | "protectedPaths">,
  resolved: ResolvedPath,
): string | undefined {
  // The requested path counts too: an instruction file may be a link to a file of another name.
  for (const path of [resolved.path, resolved.requested]) {
    const reason = reasonByName(workspace, path);
    if (reason !== undefined) return reason;
  }
  return (
    reasonByLocation(workspace, resolved.path) ??
    protectedPaths().find(({ path }) => isInside(path, resolved.path))?.reason
  );
}

function reasonByName(workspace: ToolWorkspace, path: string): string | undefined {
  const name = path.split(sep).slice(-2).join("/");
  return protectedFileReason(name) ?? protectedDirectoryReason(pathBelowRoot(workspace, path));
}

/** Ignores names above the root, which may itself be inside a protected directory, as worktrees of agents are. */
function pathBelowRoot(workspace: ToolWorkspace, path: string): string {
  const base = [realRoot(workspace), workspace.root].find((root) => isInside(root, path));
  return (base === undefined ? path : relative(base, path)).split(sep).join("/");
}

function reasonByLocation(workspace: ToolWorkspace, path: string): string | undefined {
  const root = realRoot(workspace);
  for (let directory = dirname(path); ; directory = dirname(directory)) {
    if (isGitDirectory(gitParts(directory, path))) {
      return protectedDirectoryReason(".git")?.replace(".git", () => basename(directory));
    }
    const link = INSTRUCTION_FILE_NAMES.find(
      (name) => realPathIfExists(join(directory, name)) === path,
    );
    if (link !== undefined) return protectedFileReason(link);
    if (directory === root || dirname(directory) === directory) return undefined;
  }
}

/** Entries by which Git recognizes its own directory, or which it runs and obeys there. */
const GIT_FILES = ["HEAD", "commondir", "config"];
const GIT_DIRECTORIES = ["objects", "refs", "hooks"];

interface GitParts {
  /** Whether an entry would exist after the write. */
  readonly has: (name: string) => boolean;
  /** Whether the write itself creates or changes one of the entries. */
  readonly isTouched: boolean;
}

function gitParts(directory: string, path: string): GitParts {
  const [first = "", ...below] = relative(directory, path).split(sep);
  const known = below.length === 0 ? GIT_FILES : GIT_DIRECTORIES;
  // Some file systems do not distinguish case.
  const touched = known.find((name) => name.toLowerCase() === first.toLowerCase());
  const existing = new Set([
    ...GIT_FILES.filter((name) => statIfExists(join(directory, name))?.isDirectory() === false),
    ...GIT_DIRECTORIES.filter((name) => statIfExists(join(directory, name))?.isDirectory()),
  ]);
  return {
    has: (name) => name === touched || existing.has(name),
    isTouched: touched !== undefined,
  };
}

/**
 * Whether the directory is a Git directory, or the write brings it closer to one: creating it piece by piece needs approval
 * before the last piece. A `hooks` directory next to another one is common in source trees, and proves nothing without a
 * file of Git.
 */
function isGitDirectory({ has, isTouched }: GitParts): boolean {
  if (has("HEAD") && (has("commondir") || (has("objects") && has("refs")))) return true;
  if (!isTouched) return false;
  const files = GIT_FILES.filter(has).length;
  const directories = GIT_DIRECTORIES.filter(has).length;
  return (files > 0 && files + directories > 1) || (has("objects") && has("refs"));
}
